/** The page of namespaces: their tables, properties and quotas. */

import { get } from './api.js'
import { h, table } from './dom.js'
import { badge, definitions, emptyState } from './parts.js'
import { count, size } from './words.js'

/**
 * @typedef {{ usedBytes: number, limitBytes: number, violated?: string }} Use
 *
 * @typedef {object} Namespace
 * @property {string} name
 * @property {number} tablesTotal
 * @property {readonly string[]} tables
 * @property {Readonly<Record<string, string>>} [properties] absent where the user may not see them
 * @property {Use} [quota]
 * @property {readonly (Use & { table: string })[]} tableQuotas
 *
 * @typedef {{ user?: string, table?: string, namespace?: string, regionServer?: string, text: string }} Quota
 */

/** @param {import('./app.js').Shown} shown */
export async function showNamespaces({ main, signal }) {
  /** @type {{ namespaces: readonly Namespace[], hasQuotas: boolean, quotas?: readonly Quota[] }} */
  const { namespaces, hasQuotas, quotas } = await get('namespaces', [], signal)
  main.append(h('h1', {}, 'Namespaces'))
  if (namespaces.length === 0)
    main.append(emptyState('No namespaces that you may see', 'Ask an administrator for permissions.'))
  main.append(h('div', { class: 'cards' }, namespaces.map(card)))
  main.append(
    h(
      'p',
      { class: 'hint' },
      'A new namespace: ',
      h('code', {}, "create_namespace 'NAME'"),
      ' in the shell (',
      h('code', {}, 'tidegate shell'),
      ').',
    ),
  )
  main.append(h('h2', {}, 'Quotas'), quotaSection(hasQuotas, quotas))
}

/** @param {Namespace} namespace */
function card({ name, tablesTotal, tables, properties, quota, tableQuotas }) {
  const pairs = Object.entries(properties ?? {})
  const more = tablesTotal - tables.length
  return h(
    'section',
    { class: 'card' },
    h(
      'h2',
      {},
      name,
      ' ',
      h('span', { class: 'hint' }, `${count(tablesTotal)} ${tablesTotal === 1 ? 'table' : 'tables'}`),
    ),
    tablesTotal === 0
      ? h('p', { class: 'hint' }, 'No tables. Name one ', h('code', {}, `${name}:TABLE`), ' to have it here.')
      : h(
          'ul',
          { class: 'names' },
          tables.map((each) => h('li', {}, h('a', { href: `#/tables/${encodeURIComponent(each)}` }, each))),
          more > 0 && h('li', {}, `and ${count(more)} more`),
        ),
    properties === undefined && h('p', { class: 'hint' }, 'Its properties are for its administrators.'),
    pairs.length > 0 && definitions(pairs),
    quota && useLine('All its tables', quota),
    tableQuotas.map((use) => useLine(use.table, use)),
  )
}

/** @param {string} name @param {Use} use */
function useLine(name, { usedBytes, limitBytes, violated }) {
  const words = `${size(usedBytes)} of ${size(limitBytes)}`
  return h(
    'div',
    { class: 'use' },
    h('span', {}, name),
    h('span', { class: 'number' }, words),
    h('meter', { min: 0, max: Math.max(1, limitBytes), value: usedBytes, 'aria-label': `${name}: ${words}` }),
    violated !== undefined && badge(`over its quota: ${violated}`, 'bad'),
  )
}

/** @param {boolean} hasQuotas @param {readonly Quota[] | undefined} quotas */
function quotaSection(hasQuotas, quotas) {
  if (!hasQuotas)
    return emptyState(
      'Quotas are off, or not shown to you',
      'Start the server with ',
      h('code', {}, '-D hbase.quota.enabled=true'),
      ' for quotas. Only users who may read hbase:quota see them.',
    )
  if (quotas === undefined) return h('p', {}, 'Only users who may read hbase:quota see the quotas.')
  if (quotas.length === 0)
    return emptyState(
      'No quotas',
      'Set one in the shell: ',
      h('code', {}, "set_quota TYPE => SPACE, NAMESPACE => 'ns', LIMIT => '10G', POLICY => NO_WRITES"),
      '.',
    )
  return table(
    'Quotas, as the shell lists them',
    ['Of', 'Quota'],
    quotas.map((quota) => [ownerOf(quota), h('code', {}, quota.text)]),
  )
}

/** @param {Quota} quota */
function ownerOf({ user, table: name, namespace, regionServer }) {
  return [
    user !== undefined && `user ${user}`,
    name !== undefined && `table ${name}`,
    namespace !== undefined && `namespace ${namespace}`,
    regionServer !== undefined && 'all region servers',
  ]
    .filter(Boolean)
    .join(', ')
}
