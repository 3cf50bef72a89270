/** The page of the slow log. */

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
        ' logs operations that take the store 100 ms or more.',
      ),
    )
    return
  }
  main.append(
    h(
      'p',
      {},
      onlyOf === undefined
        ? `${count(all)} operations took the store ${limitMs} ms or more since the server started. The table has the latest.`
        : `The latest operations of ${onlyOf} that took the store ${limitMs} ms or more. Users with the global permission ADMIN see those of all users.`,
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
      'Slow operations, latest first',
      ['Ended', 'Operation', 'Table', 'Client', '#Time in store', 'Figures'],
      rows,
    ),
  )
}
