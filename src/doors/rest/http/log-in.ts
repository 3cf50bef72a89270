import type { Guard } from '../../../gateway/guard/guard.ts'
import { loginRefusal } from '../../../gateway/guard/http-login.ts'
import { StatusError } from './errors.ts'
import type { RestRequest } from './request.ts'

/** Lets the request's client in. Throws a StatusError 401 or 429 for one that does not show who it is. */
export async function logIn(guard: Guard, request: RestRequest): Promise<void> {
  const { headers, socket } = request.incoming
  try {
    request.principal = await guard.ofHttp(headers, socket, 'rest')
  } catch (error) {
    const refusal = loginRefusal(guard, error)
    if (refusal === undefined) throw error
    const { status, reason, headers: told } = refusal
    const line = status === 401 ? 'Unauthorized' : 'Too many requests'
    const code = status === 401 ? 'ACCESS_DENIED' : 'THROTTLED'
    throw new StatusError(status, code, reason, `${line}: ${reason}`, { headers: told, cause: error })
  }
}
