/**
 * HBase's RPCTInfo: the headers in which a client's OpenTelemetry hands on the trace of a call.
 *
 *     RPCTInfo := 3: map entry { 1: name string | 2: value string }, repeated
 */

import { joinedTrace, traceHeaders } from '../../model/trace-context.ts'
import type { MessageReader } from './message-reader.ts'
import type { MessageWriter } from './message-writer.ts'

/** PERSISTED: never renumber. */
const HEADERS = 3
const NAME = 1
const VALUE = 2
/** A client that sends more headers than any propagator means no trace. */
const HEADERS_MAX = 32

export function writeTraceInfo(writer: MessageWriter, field: number, trace: string): void {
  const info = writer.begin(field)
  for (const [name, value] of traceHeaders(trace)) {
    const entry = writer.begin(HEADERS)
    writer.string(NAME, name)
    writer.string(VALUE, value)
    writer.end(entry)
  }
  writer.end(info)
}

/** The trace for `Call.trace`; undefined without a readable one. */
export function readTraceInfo(info: MessageReader | undefined): string | undefined {
  if (info === undefined) return undefined
  let parent: string | undefined
  let state: string | undefined
  try {
    for (let count = 0; count < HEADERS_MAX && info.next(); ) {
      if (info.field !== HEADERS) {
        info.skip()
        continue
      }
      count++
      const [name, value] = readEntry(info.message())
      if (name === 'traceparent') parent = value
      else if (name === 'tracestate') state = value
    }
  } catch {
    return undefined
  }
  return joinedTrace(parent, state)
}

function readEntry(entry: MessageReader): [name: string, value: string] {
  let name = ''
  let value = ''
  while (entry.next()) {
    if (entry.field === NAME) name = entry.string()
    else if (entry.field === VALUE) value = entry.string()
    else entry.skip()
  }
  return [name.toLowerCase(), value]
}
