import type { Answer } from './answer.ts'
import { Refusal } from './errors.ts'
import type { RestRequest } from './request.ts'

/** Returns the request's method if it is allowed. HEAD counts as GET: Node leaves the body out. Throws Refusal 405. */
export function requireMethod<Method extends string>(
  request: RestRequest,
  ...allowed: readonly Method[]
): Method {
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const found = allowed.find((name) => name === method)
  if (found !== undefined) return found
  throw new Refusal(405, `${request.method} ${request.path}: the allowed methods are ${allowed.join(', ')}`, {
    Allow: [...allowed, 'OPTIONS'].join(','),
    'Cache-Control': 'must-revalidate,no-cache,no-store',
  })
}

/** The answer to OPTIONS. HBase instead answers 500 to requests without an Accept header, or with a `*` in it. */
export function optionsAnswer(allowed: readonly string[]): Answer {
  const withHead = allowed.includes('GET') ? ['HEAD', ...allowed] : allowed
  return { status: 200, headers: { Allow: [...withHead, 'OPTIONS'].join(',') } }
}
