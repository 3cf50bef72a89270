/** The pages below /_test, in test mode, with which tests control the server. */

import type { Context, Env, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { TestMode } from '../../gateway/policies/test-mode/test-mode.ts'
import { isHBaseError } from '../../model/errors.ts'

/** The limit of a body, which has seed data or rules for faults. */
const BODY_BYTES_MAX = 64 * 1024 * 1024

export function addTestPages<Own extends Env>(app: Hono<Own>, mode: TestMode): void {
  app.use('/_test/*', async (context, next) => {
    // A page of any site that a browser shows during the test must not empty the store.
    if (context.req.header('origin') !== undefined)
      return context.text('/_test refuses requests from web pages\n', 403)
    return await next()
  })
  const onError = (context: Context): Response =>
    context.json({ error: `the body exceeds ${BODY_BYTES_MAX} bytes` }, 413)
  // Counts bytes, since a chunked body states no length.
  const limited = bodyLimit({ maxSize: BODY_BYTES_MAX, onError })
  // bodyLimit fails for a request without a body, such as `curl -X POST` sends.
  app.use('/_test/*', (context, next) => (hasBody(context) ? limited(context, next) : next()))
  app.post('/_test/reset', (context) =>
    answerOf(context, async (json) => {
      await mode.reset(json)
      return {}
    }),
  )
  app.put('/_test/faults', (context) =>
    answerOf(context, async (json) => {
      mode.setFaults(json ?? [])
      return {}
    }),
  )
  app.get('/_test/faults', (context) => context.json({ made: mode.faultsMade }))
}

function hasBody({ req }: Context): boolean {
  return req.header('content-length') !== undefined || req.header('transfer-encoding') !== undefined
}

async function answerOf(context: Context, work: (json: unknown) => Promise<object>): Promise<Response> {
  const text = await context.req.text()
  try {
    return context.json(await work(text.trim() === '' ? undefined : JSON.parse(text)))
  } catch (error) {
    if (error instanceof SyntaxError)
      return context.json({ error: `the body is not JSON: ${error.message}` }, 400)
    if (!isHBaseError(error)) throw error
    return context.json({ error: error.message }, error.code === 'ILLEGAL_ARGUMENT' ? 400 : 409)
  }
}
