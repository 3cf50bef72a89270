import { Socket } from 'node:net'
import { ConnectionOrigin } from '../../src/gateway/connections/connection-origin.ts'
import { LoginPlace } from '../../src/gateway/identity/guard/login-place.ts'

/** A socket without a connection, whose other end is said to have that address. */
export function socketFrom(address: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: address })
}

/** The place of a login through a connection of its own. */
export function placeFrom(address: string, door: string): LoginPlace {
  return new LoginPlace(ConnectionOrigin.of(socketFrom(address)), door)
}
