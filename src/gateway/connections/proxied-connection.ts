import type { Socket } from 'node:net'
import { PROXY_PROTOCOL } from '../../wire/proxy-protocol.ts'
import type { IncidentLog } from '../observing/logs/incident-log.ts'
import { ConnectionOrigin } from './connection-origin.ts'

/** Logs a connection whose first bytes are those of the PROXY protocol, which a proxy has put before them. */
export function reportProxyProtocol(incidents: IncidentLog, door: string, socket: Socket): void {
  incidents.report({
    key: 'PROXY protocol',
    level: 'warn',
    message: `${door}: closing a connection: it begins with ${PROXY_PROTOCOL}`,
    fields: { door, remote: ConnectionOrigin.of(socket).address },
  })
}
