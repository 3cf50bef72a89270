/** Answers requests below /console: for the console's files, and for its data. The first such request loads this module. */

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Context } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { callerGone, isHangUp } from '../../../gateway/http/hang-up.ts'
import { HBaseError } from '../../../model/errors.ts'
import { opening } from '../status/health.ts'
import type { ServerFacts } from '../status/server-facts.ts'
import { backups } from './backups.ts'
import { change } from './changes.ts'
import { consoleFile } from './console-files.ts'
import { type ConsoleRequest, refused } from './console-request.ts'
import { events } from './events.ts'
import { filterCheck } from './filter-check.ts'
import { foreignPage } from './foreign-page.ts'
import { history } from './history.ts'
import { load } from './load.ts'
import { namespaces } from './namespaces.ts'
import { overview } from './overview.ts'
import { replication } from './replication.ts'
import { rows } from './rows.ts'
import { settings } from './settings.ts'
import { slow } from './slow.ts'
import { snapshots } from './snapshots.ts'
import { tableLoad } from './table-load.ts'
import { compactions, table, tables } from './tables.ts'
import { users } from './users.ts'

/** The limit of a change, which is a value that a user types, in base64 and JSON. */
const BODY_BYTES_MAX = 2 * 1024 * 1024

export const CONSOLE_ROOT = '/console/'
const API = `${CONSOLE_ROOT}api/`

const READS: Readonly<Record<string, (request: ConsoleRequest) => Promise<object>>> = {
  overview,
  load,
  tables,
  table,
  rows,
  filter: filterCheck,
  compactions,
  slow,
  history,
  'table-load': tableLoad,
  namespaces,
  snapshots,
  users,
  settings,
  events,
  replication,
  backups,
}

/** The console runs and loads only its own files, and no other page may show it in a frame. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'"

type WebContext = Context<{
  readonly Bindings: { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
}>

export interface AskedConsole {
  readonly context: WebContext
  readonly isGuarded: boolean
  readonly facts: ServerFacts
  /** Undefined while the store is being opened. */
  readonly request: Omit<ConsoleRequest, 'query'> | undefined
}

/** Throws HBaseErrors. */
export async function answerConsole(asked: AskedConsole): Promise<Response> {
  const { context } = asked
  const { path, method } = context.req
  context.header('Content-Security-Policy', POLICY)
  context.header('Referrer-Policy', 'no-referrer')
  context.header('X-Frame-Options', 'DENY')
  const { console } = asked.facts
  if (console === undefined) return context.text('Not found\n', 404)
  if (path.startsWith(API)) return await answerData(asked, path.slice(API.length))
  if (method !== 'GET' && method !== 'HEAD') return notAllowed(context, 'GET, HEAD')
  if (path === CONSOLE_ROOT.slice(0, -1)) return context.redirect(CONSOLE_ROOT.slice(1), 302)
  return await answerFile(context, console.folder, path.slice(CONSOLE_ROOT.length) || 'index.html')
}

async function answerFile(context: WebContext, folder: URL, name: string): Promise<Response> {
  const file = await consoleFile(folder, name)
  if (file === undefined) return context.text('Not found\n', 404)
  context.header('ETag', file.tag)
  // Browsers revalidate files, and mostly get 304. For data the door sends no-store.
  context.header('Cache-Control', 'no-cache')
  if (context.req.header('if-none-match') === file.tag) return context.body(null, 304)
  return context.body(file.bytes, 200, { 'Content-Type': file.type })
}

async function answerData(
  { context, isGuarded, facts, request }: AskedConsole,
  name: string,
): Promise<Response> {
  const { method } = context.req
  const isChange = name === 'changes'
  const read = Object.hasOwn(READS, name) ? READS[name] : undefined
  if (!isChange && read === undefined) return context.text('Not found\n', 404)
  const allowed = isChange ? 'POST' : 'GET'
  if (method !== allowed) return notAllowed(context, allowed)
  const foreign = foreignPage({ headers: context.env.incoming.headers, isGuarded, isChange })
  if (foreign !== undefined) throw new HBaseError('ACCESS_DENIED', foreign)
  if (request === undefined) {
    const { reason, progress } = opening(facts.life.opening)
    return context.json({ error: reason, code: 'STARTING', progress }, 503, { 'Retry-After': '1' })
  }
  const query = new URL(context.req.url).searchParams
  if (read !== undefined) return context.json(await read({ ...request, query }))
  return context.json(await change({ ...request, query }, await bodyOf(context)))
}

/** Throws CALLER_GONE, TOO_LARGE and ILLEGAL_ARGUMENT. */
async function bodyOf(context: WebContext): Promise<unknown> {
  const text = await textOf(context)
  try {
    return JSON.parse(text)
  } catch {
    throw refused('a change must be JSON')
  }
}

async function textOf(context: WebContext): Promise<string> {
  const limit = bodyLimit({
    maxSize: BODY_BYTES_MAX,
    onError: () => {
      throw new HBaseError('TOO_LARGE', `a change must not exceed ${BODY_BYTES_MAX} bytes`)
    },
  })
  try {
    await limit(context, async () => undefined)
    return await context.req.text()
  } catch (error) {
    throw isHangUp(error) ? callerGone(error) : error
  }
}

function notAllowed(context: WebContext, allowed: string): Response {
  return context.text(`This path allows the methods ${allowed}\n`, 405, { Allow: allowed })
}
