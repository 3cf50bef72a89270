/** Below /_test, in test mode: what tests of clients do to the server. */

import type { Context, Env, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { TestMode } from '../../gateway/policies/test-mode/test-mode.ts'
import { isHBaseError } from '../../model/errors.ts'

/** Of a seed or of rules. */
const BODY_BYTES_MAX = 64 * 1024 * 1024

export function addTestPages<Own extends Env>(app: Hono<Own>, mode: TestMode): void {
  app.use('/_test/*', async (context, next) => {
    // A page of another site that a browser shows meanwhile must not empty the store.
    if (context.req.header('origin') !== undefined)
      return context.text('/_test is not for pages of browsers\n', 403)
    return await next()
  })
  const onError = (context: Context): Response =>
    context.json({ error: `a body has at most ${BODY_BYTES_MAX} bytes` }, 413)
  // A body that comes in chunks states no length.
  const limited = bodyLimit({ maxSize: BODY_BYTES_MAX, onError })
  // A request without any body, as `curl -X POST` sends it, has no length to be looked at, and bodyLimit fails at it.
  app.use('/_test/*', (context, next) => (hasBody(context) ? limited(context, next) : next()))
  app.post('/_test/reset', (context) =>
    told(context, async (json) => {
      await mode.reset(json)
      return {}
    }),
  )
  app.put('/_test/faults', (context) =>
    told(context, async (json) => {
      mode.setFaults(json ?? [])
      return {}
    }),
  )
  app.get('/_test/faults', (context) => context.json({ made: mode.faultsMade }))
}

function hasBody({ req }: Context): boolean {
  return req.header('content-length') !== undefined || req.header('transfer-encoding') !== undefined
}

async function told(context: Context, work: (json: unknown) => Promise<object>): Promise<Response> {
  const text = await context.req.text()
  try {
    return context.json(await work(text.trim() === '' ? undefined : JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError)
      return context.json({ error: `the body is no JSON: ${error.message}` }, 400)
    if (!isHBaseError(error)) throw error
    return context.json({ error: error.message }, error.code === 'ILLEGAL_ARGUMENT' ? 400 : 409)
  }
}
