import { movesConnections } from '../../src/gateway/connections/moving-sockets.ts'

/** True where Node moves connections to other threads, as `--threads` needs. The tests that need it run by `npm run test:newest`. */
export const MOVES_CONNECTIONS: boolean = movesConnections()
