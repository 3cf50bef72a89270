/** Ways to keep a label beside figures, and how the figures of a year are then asked for with their labels, over REST. */

import type { ExampleServer } from '../shared/example-server.ts'
import { END_OF_TIME, shifted, year } from './time.ts'

export interface Layout {
  readonly name: string
  readonly table: string
  readonly labelColumn: string
  readonly labelTime: (number: number) => number
  /** Whether the label has a request of its own. */
  readonly asksTwice: boolean
}

export const LAYOUTS: readonly Layout[] = [
  {
    name: 'at its time, among the rates',
    table: 'timeshift_own_time',
    labelColumn: 't:label',
    labelTime: year,
    asksTwice: true,
  },
  {
    name: 'shifted, among the rates',
    table: 'timeshift_shifted',
    labelColumn: 't:label',
    labelTime: shifted,
    asksTwice: false,
  },
  {
    name: 'shifted, in a family of its own',
    table: 'timeshift_shifted_apart',
    labelColumn: 'm:label',
    labelTime: shifted,
    asksTwice: false,
  },
  {
    name: 'at its time, in a family of its own',
    table: 'timeshift_own_time_apart',
    labelColumn: 'm:label',
    labelTime: year,
    asksTwice: true,
  },
]

export interface Asked {
  readonly requests: number
  /** Of the answers' bodies. */
  readonly bytes: number
  readonly cells: number
}

/** `rows`: a key, or `*` for all. */
export async function askedOf(
  { table, labelColumn, asksTwice }: Layout,
  rows: string,
  from: number,
  { host, ports }: ExampleServer,
): Promise<Asked> {
  const wanted: readonly (readonly [columns: readonly string[], start: number])[] = asksTwice
    ? [
        [['t:v'], year(from)],
        [[labelColumn], 0],
      ]
    : [[['t:v', labelColumn], year(from)]]
  let [bytes, cells] = [0, 0]
  for (const [columns, start] of wanted) {
    const path = rows === '*' ? scanPath(columns, start) : `${rows}/${columns.join()}/${start},${END_OF_TIME}`
    const answer = await fetch(`http://${host}:${ports.rest}/${table}/${path}`, {
      headers: { accept: 'application/json' },
    })
    const text = await answer.text()
    bytes += Buffer.byteLength(text)
    cells += text.split('"column"').length - 1
  }
  return { requests: wanted.length, bytes, cells }
}

function scanPath(columns: readonly string[], start: number): string {
  const query = [
    ...columns.map((column) => `column=${column}`),
    `starttime=${start}`,
    `endtime=${END_OF_TIME}`,
  ]
  return `*?${query.join('&')}`
}
