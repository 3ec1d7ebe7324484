export { type Answer, acceptedId, Client } from './client.js';
export { Gateways } from './gateways.js';
