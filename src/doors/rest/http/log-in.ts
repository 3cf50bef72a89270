import type { Guard } from '../../../gateway/guard/guard.ts'
import { loginRefusal } from '../../../gateway/guard/http-login.ts'
import { placeOf } from '../../../gateway/request-origin.ts'
import type { Principal } from '../../../store/call.ts'
import { Refusal, StatusError } from './errors.ts'
import type { RestRequest } from './request.ts'

/**
 * Lets the request's client in, at once where it is known. Throws, or rejects with, a StatusError 401 or 429 for one that does not
 * show who it is, ACCESS_DENIED for one that may not act for whom it wants to.
 */
export function logIn(guard: Guard, request: RestRequest): void | Promise<void> {
  try {
    const principal = guard.ofHttp(request.incoming, 'rest')
    if (principal instanceof Promise || doAs(request) !== undefined) return logInAs(guard, request, principal)
    request.principal = principal
  } catch (error) {
    throw refusal(guard, error)
  }
}

async function logInAs(
  guard: Guard,
  request: RestRequest,
  shown: Principal | Promise<Principal>,
): Promise<void> {
  try {
    const principal = await shown
    const other = doAs(request)
    request.principal =
      other === undefined
        ? principal
        : await guard.actingFor(principal, other, placeOf(request.incoming, 'rest'))
  } catch (error) {
    throw refusal(guard, error)
  }
}

function refusal(guard: Guard, error: unknown): unknown {
  const refused = loginRefusal(guard, error)
  if (refused === undefined) return error
  const { status, reason, headers: told } = refused
  const line = status === 401 ? 'Unauthorized' : 'Too many requests'
  const code = status === 401 ? 'ACCESS_DENIED' : 'THROTTLED'
  return new StatusError(status, code, reason, `${line}: ${reason}`, { headers: told, cause: error })
}

/**
 * The user that the client wants to act for: a parameter in any case, also with escaped letters, as HBase has it, or a header. HBase:
 * RESTServletContainer. Throws a Refusal for a parameter beside a header that names another: a proxy sets the header, and hands on what its clients ask.
 */
function doAs(request: RestRequest): string | undefined {
  const ofHeader = request.header('doas')
  for (const [name, value] of request.query) {
    if (name.toLowerCase() !== 'doas') continue
    if (ofHeader !== undefined && ofHeader !== value)
      throw new Refusal(400, 'the header doAs and the parameter doAs name different users')
    return value
  }
  return ofHeader
}
