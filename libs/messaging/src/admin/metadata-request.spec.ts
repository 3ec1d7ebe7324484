import { decodeMetadata, isZeroId, metadataRequest } from './metadata-request.js';

const hex = (text: string) => Buffer.from(text.replaceAll(/\s/g, ''), 'hex');
const UUID = '00112233445566778899aabbccddeeff';

describe('the Metadata request', () => {
  it('asks for topics by name, and has none created', async () => {
    const { buffer } = await metadataRequest(['ab', 'c'.repeat(200)]).request.encode();
    const none = '00'.repeat(16);
    const long = `c901 ${'63'.repeat(200)}`;
    expect(buffer).toEqual(hex(`00 03 ${none} 03 6162 00 ${none} ${long} 00 00 00 00`));
  });

  it('is answered with ids behind brokers, partitions and tags of any number', () => {
    const broker = '00000001 05 686f7374 00002384 00 01 07 02 ffff';
    const partition = '0000 00000000 00000001 00000003 02 00000001 03 00000001 00000002 01 00';
    const topic = `0000 03 6162 ${UUID} 00 02 ${partition} 80000000 00`;
    const unknown = `0003 03 6364 ${'00'.repeat(16)} 00 01 80000000 00`;
    const payload = hex(`00 00000000 02 ${broker} 04 78797a 00000001 03 ${topic} ${unknown} 00`);
    const { clusterId, topics } = decodeMetadata(payload);
    expect(clusterId).toBe('xyz');
    expect(topics).toEqual([
      { errorCode: 0, name: 'ab', topicId: '00112233-4455-6677-8899-aabbccddeeff' },
      { errorCode: 3, name: 'cd', topicId: '00000000-0000-0000-0000-000000000000' },
    ]);
    expect(topics.map(({ topicId }) => isZeroId(topicId))).toEqual([false, true]);
    expect(() => decodeMetadata(payload.subarray(0, -30))).toThrow(RangeError);
  });
});
