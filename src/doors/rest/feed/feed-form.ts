/** The forms of a feed: NDJSON, and server-sent events, whose ids are the tokens. */

import type { CellBlock } from '../../../model/cell-block.ts'
import { isHBaseError } from '../../../model/errors.ts'
import { type LineForm, writeChangeLine } from '../../../wire/changes/change-lines.ts'
import type { OutputBuffer } from '../../../wire/rest/output-buffer.ts'
import { Refusal } from '../http/errors.ts'
import { acceptedRanges, fits } from '../http/media-type.ts'
import { NDJSON, TEXT_NDJSON } from '../http/rows-type.ts'

export const EVENT_STREAM = 'text/event-stream'
const TYPES = [NDJSON, EVENT_STREAM] as const
const CELLS_TEXT = /;cells=text(?:;|$)/i
const LINE_END = Buffer.from('\n')
const EVENT_END = Buffer.from('\n\n')

export interface FeedForm {
  readonly contentType: string
  /** Appends the cells of a row, and the token behind them. */
  change(out: OutputBuffer, cells: CellBlock, token: string): void
  /** Appends the token alone. */
  heartbeat(out: OutputBuffer, token: string): void
  /** The last line: the reason of the end, and the token behind the last change. */
  end(error: unknown, token: string): Buffer
}

/** `cells`: the parameter of the query, for clients that cannot choose their header Accept, as EventSource. Throws Refusal 400 and 406. */
export function negotiateFeed(accept: string | undefined, cells: string | null): FeedForm {
  if (cells !== null && cells !== 'text') throw new Refusal(400, `cells can be text, not "${cells}"`)
  for (const range of acceptedRanges(accept ?? '')) {
    const type = range.quality > 0 ? TYPES.find((each) => fits(range, each)) : undefined
    if (type === undefined) continue
    const form = cells === 'text' || CELLS_TEXT.test(range.parameters) ? 'text' : 'base64'
    return type === NDJSON ? linesForm(form) : eventsForm(form)
  }
  throw new Refusal(406, `changes are available as ${TYPES.join(' and ')}, not as ${accept}`, {
    'Cache-Control': 'must-revalidate,no-cache,no-store',
  })
}

function linesForm(form: LineForm): FeedForm {
  return {
    contentType: form === 'text' ? TEXT_NDJSON : NDJSON,
    change: (out, cells, token) => {
      writeChangeLine(out, form, cells, token)
      out.append(LINE_END)
    },
    heartbeat: (out, token) => out.append(Buffer.from(`${heartbeatText(token)}\n`)),
    end: (error, token) => Buffer.from(`${endText(error, token)}\n`),
  }
}

/** EventSource has events of the name `error` itself: the last one is called `end`. */
function eventsForm(form: LineForm): FeedForm {
  return {
    contentType: EVENT_STREAM,
    change: (out, cells, token) => {
      out.append(Buffer.from(`id: ${token}\ndata: `))
      writeChangeLine(out, form, cells, token)
      out.append(EVENT_END)
    },
    heartbeat: (out, token) =>
      out.append(Buffer.from(`event: heartbeat\nid: ${token}\ndata: ${heartbeatText(token)}\n\n`)),
    end: (error, token) => Buffer.from(`event: end\nid: ${token}\ndata: ${endText(error, token)}\n\n`),
  }
}

function heartbeatText(token: string): string {
  return JSON.stringify({ heartbeat: true, token })
}

function endText(error: unknown, token: string): string {
  if (!isHBaseError(error)) return JSON.stringify({ error: { detail: 'Server error' }, token })
  const { code, javaClass, message } = error
  // As the status 503 of a request for the feed of a disabled table: it may be enabled again.
  const mayRetry = error.mayRetry || code === 'TABLE_NOT_ENABLED'
  return JSON.stringify({ error: { code, exception: javaClass, detail: message, mayRetry }, token })
}
