import { deadLetterTopic, PARTICIPANTS, type Participant, type TopicName } from '@carbon/contracts';
import { messageNames } from './channels.js';
import { TOPIC_LIST } from './event-types.js';

type Action = 'send' | 'receive';

/** Who sends and receives what. The first word of an operation's name is whose it is. */
export function operations(): Record<string, object> {
  return Object.fromEntries(
    TOPIC_LIST.flatMap(({ name, topic, facts }) => {
      const messages = messageNames(name, topic);
      const letters = deadLetterTopic(name);
      const consumers = facts.readBy.filter((party) => party !== 'anyone');
      return [
        operation(facts.writtenBy, 'send', name, messages),
        ...facts.readBy.map((party) => operation(party, 'receive', name, messages)),
        ...consumers.map((party) => operation(party, 'send', letters, ['deadLetter'])),
        operation('dead-letters', 'receive', letters, ['deadLetter']),
        ...(consumers.length > 0 ? [operation('dead-letters', 'send', name, messages)] : []),
      ];
    }),
  );
}

function operation(party: Participant, action: Action, channel: TopicName | string, messages: readonly string[]) {
  const name = `${party}.${action}.${channel}`;
  return [
    name,
    {
      action,
      channel: { $ref: `#/channels/${channel}` },
      summary: `${PARTICIPANTS[party]} ${action === 'send' ? 'writes' : 'reads'} it`,
      tags: [{ name: party }],
      messages: messages.map((message) => ({ $ref: `#/channels/${channel}/messages/${message}` })),
    },
  ] as const;
}
