/** The last operations of the slow log. */

import { get } from './api.js'
import { h, table } from './dom.js'
import { count, duration } from './words.js'

/** @param {import('./app.js').Shown} shown */
export async function showSlow({ main, signal }) {
  const { limitMs, count: all = 0, onlyOf, operations = [] } = await get('slow', [], signal)
  main.append(h('h1', {}, 'Slow log'))
  if (limitMs === undefined) {
    main.append(
      h(
        'p',
        {},
        'The slow log is off. ',
        h('code', {}, 'tidegate serve --slow-log-ms 100'),
        ' keeps each operation that takes the store 100 ms or more.',
      ),
    )
    return
  }
  main.append(
    h(
      'p',
      {},
      onlyOf === undefined
        ? `${count(all)} operations have taken the store ${limitMs} ms or more since the start; these are the last.`
        : `The last operations of ${onlyOf} that have taken the store ${limitMs} ms or more. Those of others are shown to who has A of everything.`,
    ),
  )
  const rows = operations.map(
    (/** @type {any} */ { at, operation, table: name, client, storeMs, figures }) => [
      new Date(at).toISOString().replace('T', ' ').slice(0, 23),
      operation,
      name ?? '',
      client ?? '',
      duration(storeMs),
      Object.entries(figures)
        .filter(([, value]) => value !== undefined)
        .map(([figure, value]) => `${figure} ${value}`)
        .join(', '),
    ],
  )
  main.append(
    table(
      'Slow operations, the latest first',
      ['Ended', 'Operation', 'Table', 'Client', '#In the store', 'Figures'],
      rows,
    ),
  )
}
