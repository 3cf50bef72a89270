/**
 * Recordings as text that a person reads in a diff: one file a scenario.
 *
 *     hbase 2.6.1
 *
 *     == rest-row-json-r1-f-q
 *     > GET /t/r1/f:q
 *       accept: application/json
 *     < 200
 *       content-type: application/json
 *
 *       {"Row":[...]}
 *
 * `>` lines have the request, `<` lines the answer; continuation lines are indented.
 */

import { existsSync, readFileSync } from 'node:fs'

/** The exchange of each case, by the case's id. */
export type Recording = ReadonlyMap<string, string>

const HBASE = 'hbase 2.6.1'

/** `server`: what the exchanges were recorded from, which is the first line. */
export function printRecording(exchanges: Recording, server: string = HBASE): string {
  const sections = [...exchanges].map(([id, exchange]) => `\n== ${id}\n${exchange.trimEnd()}\n`)
  return `${server}\n${sections.join('')}`
}

/** Throws where the file is not a recording. */
function parseRecording(text: string, path: string, server: string): Recording {
  if (!text.startsWith(`${server}\n`)) throw new Error(`${path} does not begin with "${server}"`)
  const sections = text
    .slice(server.length + 1)
    .split(/^== /m)
    .slice(1)
  return new Map(
    sections.map((section) => {
      const lineEnd = section.indexOf('\n')
      return [section.slice(0, lineEnd), section.slice(lineEnd + 1).trimEnd()]
    }),
  )
}

export function readRecording(path: string, server: string = HBASE): Recording {
  return existsSync(path) ? parseRecording(readFileSync(path, 'utf8'), path, server) : new Map()
}

/** Indents by two, so that no line of a body can be taken for a line of the format. */
export function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
