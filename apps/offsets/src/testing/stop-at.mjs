/**
 * Runs the built service, and stops it for good at one line, as if the process had frozen there: `node stop-at.mjs <line>`.
 * It says `stopped` to its parent, which then kills it.
 */

import { SelfClockedProducer } from '@carbon/messaging';
import { AnswerRecorder } from '../../dist/fulfillment/record-answers.js';
import { CreditRetirer } from '../../dist/fulfillment/retire.js';
import { SingleTransactionPath } from '../../dist/fulfillment/single-transaction.js';
import { OutboxRelay } from '../../dist/outbox/outbox-relay.js';
import { Database } from '../../dist/persistence/database.js';
import { OffsetRecorder } from '../../dist/receive/record-offsets.js';

const stopped = () => {
  process.send('stopped');
  return new Promise(() => {});
};

/** Lets the method do its work, and goes no further. */
function stopAfter(type, method) {
  const original = type.prototype[method];
  type.prototype[method] = async function (...args) {
    await original.apply(this, args);
    return stopped();
  };
}

/** Goes no further than to the method. */
function stopBefore(type, method) {
  type.prototype[method] = stopped;
}

/** Goes no further than to this statement of a transaction, which stays open. */
function stopBeforeStatement(words) {
  const original = Database.prototype.transaction;
  Database.prototype.transaction = function (work, options) {
    return original.call(
      this,
      (query) => {
        const upToIt = (sql, ...rest) => (sql.includes(words) ? stopped() : query(sql, ...rest));
        return work(Object.assign(upToIt, { fence: query.fence }));
      },
      options,
    );
  };
}

/** Makes every batch fail in one transaction, so that its credits are reserved first. */
function inTwoTransactions() {
  SingleTransactionPath.prototype.completeNew = async () => new Set();
  SingleTransactionPath.prototype.completeQueued = async () => {
    throw new Error('not in one transaction');
  };
}

const LINES = {
  'after the requests are committed, before Kafka knows': () => stopAfter(OffsetRecorder, 'run'),
  'in the middle of the transaction that retires': () => stopBeforeStatement('INSERT INTO outbox'),
  'after credits are reserved, before they are retired': () => {
    inTwoTransactions();
    stopBefore(CreditRetirer, 'run');
  },
  'after the registry has retired, before that is written down': () => stopBefore(AnswerRecorder, 'run'),
  'after offsets are completed, before they are published': () => stopBefore(OutboxRelay, 'run'),
  'after an event is published, before it is marked': () => stopAfter(SelfClockedProducer, 'publish'),
};

LINES[process.argv[2]]();
await import('../../dist/main.js');
