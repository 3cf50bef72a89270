import type { Socket } from 'node:net'
import { ConnectionOrigin } from '../../../gateway/connections/connection-origin.ts'
import type { Guard } from '../../../gateway/identity/guard/guard.ts'
import { Refused } from '../../../gateway/identity/guard/login-errors.ts'
import { LoginPlace } from '../../../gateway/identity/guard/login-place.ts'
import type { Principal } from '../../../store/call.ts'

/** Logs in a client that begins without SASL. Returns the user of its certificate, or the refusal of a client without one. */
export function loginByCertificate(guard: Guard, socket: Socket): Principal | Refused {
  const connection = ConnectionOrigin.of(socket)
  const principal = guard.ofCertificate(connection)
  if (principal !== undefined) return principal
  const refusal = new Refused(`log in: ${guard.advice('thrift')}`)
  guard.reportRefusal(undefined, new LoginPlace(connection, 'thrift'), refusal)
  return refusal
}
