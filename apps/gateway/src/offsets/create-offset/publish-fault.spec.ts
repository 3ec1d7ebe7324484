import { TransientFault } from '@carbon/faults';
import { NotAccepted, OutcomeUnknown } from '@carbon/messaging';
import { publishFault } from './publish-fault.js';

describe('a publish that failed', () => {
  it('is not_accepted when nothing was sent, and outcome_unknown when it may have been', () => {
    expect(publishFault(new NotAccepted('full'), 'k')).toMatchObject({ code: 'not_accepted' });
    expect(publishFault(new OutcomeUnknown(), 'k')).toMatchObject({ code: 'outcome_unknown' });
  });

  it.each([new NotAccepted('deadline'), new OutcomeUnknown()])('says under which key to try again: %s', (error) => {
    const fault = publishFault(error, 'order-7');
    expect(fault).toBeInstanceOf(TransientFault);
    expect(fault).toMatchObject({ members: { retryKey: 'order-7' }, cause: error });
  });

  it('stays what it is when it is none of these', () => {
    const bug = new TypeError('a bug');
    expect(publishFault(bug, 'k')).toBe(bug);
  });
});
