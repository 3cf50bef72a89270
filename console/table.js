/** The page of one table: its schema, its regions, and the changes that the user may make. */

import { get } from './api.js'
import { escaped, fromBase64 } from './bytes.js'
import { damageCard } from './damage.js'
import { h, table } from './dom.js'
import { regions } from './regions.js'
import { TableActions } from './table-actions.js'
import { count, size, sizeOfMB } from './words.js'

/** @param {import('./app.js').Shown} shown */
export async function showTable({ main, server, names, signal }) {
  const [name = ''] = names
  const shown = await get('table', [['name', name]], signal)
  const facts = [
    `${count(shown.regionsTotal)} ${shown.regionsTotal === 1 ? 'region' : 'regions'}`,
    `${size(shown.storeFileBytes)} in store files`,
    `memstores ${sizeOfMB(shown.memStoreSizeMB)}`,
    `${count(shown.reads)} reads`,
    `${count(shown.writes)} writes`,
  ]
  main.append(
    h(
      'div',
      { class: 'title' },
      h('h1', {}, shown.name),
      h('span', { class: 'state' }, shown.state),
      h('a', { href: `#/rows/${encodeURIComponent(shown.name)}` }, 'Rows'),
    ),
    h('p', { class: 'facts' }, facts.join(' · ')),
    damageCard(shown.damage),
  )
  const isActive = server.writes && (shown.can.flush || shown.can.compact || shown.can.split)
  const actions = isActive ? new TableActions(shown) : undefined
  if (actions !== undefined) main.append(actions.element)
  if (!server.writes)
    main.append(
      h(
        'p',
        { class: 'hint' },
        'The console is read-only. Start the server with ',
        h('code', {}, '--console-writes'),
        ' to flush, compact and split here.',
      ),
    )
  if (shown.compaction !== undefined && shown.compaction !== 'NONE') {
    main.append(h('p', {}, h('a', { href: '#/compactions' }, `Compaction: ${shown.compaction}`)))
  }
  main.append(...regions(shown, actions && ((selected) => actions.select(selected))))
  if (shown.families === undefined)
    main.append(h('p', { class: 'hint' }, 'Your permissions do not include the schema of this table.'))
  else main.append(families(shown), attributes(shown))
}

/** @param {any} shown */
function families(shown) {
  const rows = shown.families.map((/** @type {any} */ family) => {
    const all = Object.entries(family.attributes)
    const spans = all.map(([key, value]) =>
      h('span', { class: 'attribute' }, attributeText(key, String(value))),
    )
    return [escaped(fromBase64(family.name)), h('td', {}, spans)]
  })
  return table('Families', ['Family', 'Attributes'], rows)
}

/** HBase's shell prints the greatest TTL as FOREVER. @param {string} key @param {string} value */
function attributeText(key, value) {
  return `${key} ${key === 'TTL' && value === '2147483647' ? 'FOREVER' : value}`
}

/** @param {any} shown */
function attributes(shown) {
  const rows = Object.entries(shown.attributes).map(([key, value]) => [key, String(value)])
  return table('Table attributes', ['Attribute', 'Value'], rows)
}
