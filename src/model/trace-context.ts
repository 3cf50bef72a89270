/**
 * A W3C trace context: `traceparent` and, behind a space, `tracestate`, if there is one. Only this form crosses the seam.
 * https://www.w3.org/TR/trace-context/
 */

export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string
  /** 16 hexadecimal digits. */
  readonly spanId: string
  readonly isSampled: boolean
  /** The state that other systems want handed on; undefined without one. */
  readonly state: string | undefined
}

const VERSION = '00'
const SAMPLED = 1
const PARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/
/** Characters of the version, both ids and the flags. */
const PARENT_CHARACTERS = 55
/** Systems must hand on so many characters; a longer one is dropped whole. */
const STATE_CHARACTERS_MAX = 512
/** Printable ASCII: anything else could not stand in a header again. */
const STATE = /^[\x20-\x7e]+$/

/** Undefined for headers that are no trace context: a client's mistake costs it the trace, and nothing else. */
export function joinedTrace(parent: string | undefined, state?: string): string | undefined {
  const trimmed = parent?.trim()
  if (trimmed === undefined || readParent(trimmed) === undefined) return undefined
  // A later version may add long text with spaces behind it: the begin is a whole parent.
  const known = trimmed.slice(0, PARENT_CHARACTERS)
  const kept = state?.trim() ?? ''
  if (kept === '' || kept.length > STATE_CHARACTERS_MAX || !STATE.test(kept)) return known
  return `${known} ${kept}`
}

/** The context of a joined trace; undefined where it is none. */
export function readTrace(trace: string | undefined): TraceContext | undefined {
  if (trace === undefined) return undefined
  const space = trace.indexOf(' ')
  const read = readParent(space < 0 ? trace : trace.slice(0, space))
  return read && { ...read, state: space < 0 ? undefined : trace.slice(space + 1) }
}

export function writtenTrace({ traceId, spanId, isSampled, state }: TraceContext): string {
  const parent = `${VERSION}-${traceId}-${spanId}-${isSampled ? '01' : '00'}`
  return state === undefined ? parent : `${parent} ${state}`
}

/** The headers of a joined trace. */
export function traceHeaders(trace: string): [name: string, value: string][] {
  const space = trace.indexOf(' ')
  if (space < 0) return [['traceparent', trace]]
  return [
    ['traceparent', trace.slice(0, space)],
    ['tracestate', trace.slice(space + 1)],
  ]
}

function readParent(text: string): Omit<TraceContext, 'state'> | undefined {
  const [, version, traceId = '', spanId = '', flags = '', rest] = PARENT.exec(text) ?? []
  // Later versions may add parts, this one may not; ff is no version.
  if (version === undefined || version === 'ff' || (version === VERSION && rest !== undefined))
    return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & SAMPLED) !== 0 }
}
