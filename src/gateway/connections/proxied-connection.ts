import type { Socket } from 'node:net'
import { PROXY_PROTOCOL } from '../../wire/proxy-protocol.ts'
import type { IncidentLog } from '../observing/logs/incident-log.ts'
import { ConnectionOrigin } from './connection-origin.ts'

/** Tells of a connection before which a proxy has put its own bytes. */
export function tellProxyProtocol(incidents: IncidentLog, door: string, socket: Socket): void {
  incidents.report({
    key: 'PROXY protocol',
    level: 'warn',
    message: `${door}: closing a connection: it begins with ${PROXY_PROTOCOL}`,
    fields: { door, remote: ConnectionOrigin.of(socket).address },
  })
}
