import type { Admin } from 'kafkajs';
import type { KafkaHandle } from '../kafka/create-kafka.js';

/** Lends an admin connection for one piece of work. */
export async function withAdmin<T>(kafka: KafkaHandle, work: (admin: Admin) => Promise<T>): Promise<T> {
  const admin = kafka.client.admin();
  try {
    await admin.connect();
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
