import type { Guard } from '../../../gateway/guard/guard.ts'
import { loginRefusal } from '../../../gateway/guard/http-login.ts'
import { StatusError } from './errors.ts'
import type { RestRequest } from './request.ts'

/**
 * Lets the request's client in. Throws a StatusError 401 or 429 for one that does not show who it is, ACCESS_DENIED for one that may
 * not act for whom it wants to.
 */
export async function logIn(guard: Guard, request: RestRequest): Promise<void> {
  const { headers, socket } = request.incoming
  try {
    const principal = await guard.ofHttp(headers, socket, 'rest')
    const other = doAs(request)
    const place = { door: 'rest', address: socket.remoteAddress ?? '' }
    request.principal = other === undefined ? principal : await guard.actingFor(principal, other, place)
  } catch (error) {
    const refusal = loginRefusal(guard, error)
    if (refusal === undefined) throw error
    const { status, reason, headers: told } = refusal
    const line = status === 401 ? 'Unauthorized' : 'Too many requests'
    const code = status === 401 ? 'ACCESS_DENIED' : 'THROTTLED'
    throw new StatusError(status, code, reason, `${line}: ${reason}`, { headers: told, cause: error })
  }
}

/**
 * The user that the client wants to act for: a parameter in any case, also with escaped letters, as HBase has it, or a header. HBase:
 * RESTServletContainer.
 */
function doAs(request: RestRequest): string | undefined {
  for (const [name, value] of request.query) if (name.toLowerCase() === 'doas') return value
  return request.header('doas')
}
