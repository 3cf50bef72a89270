/** The page of users: logins, groups, and who has which permission. */

import { get } from './api.js'
import { h, table } from './dom.js'
import { badge, definitions, emptyState, searchField } from './parts.js'
import { count } from './words.js'

const ACTIONS = /** @type {const} */ ({ R: 'read', W: 'write', X: 'execute', C: 'create', A: 'administer' })

/**
 * @typedef {{ name: string, hasPassword: boolean, groups: readonly string[] }} User
 *
 * @typedef {object} Accounts
 * @property {readonly string[]} [logins]
 * @property {boolean} hasFile
 * @property {number} usersTotal
 * @property {readonly User[]} users
 * @property {readonly string[]} superusers
 * @property {readonly string[]} troubles
 *
 * @typedef {{ user?: string, scope: string, actions: string }} Permission
 *
 * @typedef {object} Answer
 * @property {string} [user]
 * @property {'Tidegate' | 'cluster'} [deciding]
 * @property {boolean} isEnforced
 * @property {boolean} [isPartial]
 * @property {boolean} isCut
 * @property {Accounts} [accounts]
 * @property {readonly Permission[]} own
 * @property {readonly Permission[]} permissions
 */

/** @param {import('./app.js').Shown} shown */
export async function showUsers({ main, signal }) {
  /** @type {Answer} */
  const answer = await get('users', [], signal)
  main.append(
    h('h1', {}, 'Users'),
    h('div', { class: 'cards' }, access(answer), ...(answer.own.length > 0 ? [ownCard(answer)] : [])),
    ...permissionsPart(answer),
    ...accountsPart(answer),
  )
}

/** @param {Answer} answer */
function access({ user, accounts, isEnforced, deciding, isPartial }) {
  const checks = isEnforced
    ? deciding === undefined
      ? 'by the cluster'
      : `by ${deciding === 'cluster' ? 'the cluster' : 'Tidegate'}`
    : deciding === 'cluster'
      ? 'by the cluster'
      : 'none: every user may do everything'
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Access'),
    definitions([
      ['You are', user ?? 'not logged in'],
      ...(accounts === undefined
        ? []
        : [/** @type {const} */ (['Logins', accounts.logins?.join(', ') ?? 'none: clients need no login'])]),
      ['Permissions checked', checks],
      ...(accounts === undefined || accounts.superusers.length === 0
        ? []
        : [/** @type {const} */ (['Superusers', accounts.superusers.join(', ')])]),
    ]),
    accounts?.troubles.map((trouble) => h('p', { class: 'problem', role: 'alert' }, trouble)) ?? [],
    isPartial &&
      h(
        'p',
        { class: 'hint' },
        'Administrators see all users here. You see your own permissions, and those of the tables that you administer.',
      ),
  )
}

/** @param {Answer} answer */
function ownCard({ own }) {
  return h(
    'section',
    { class: 'card' },
    h('h2', {}, 'Your permissions'),
    definitions(
      own.map(({ scope, actions }) => [scope === 'global' ? 'everything' : scope, letters(actions)]),
    ),
  )
}

/** @param {string} actions */
function letters(actions) {
  return h(
    'span',
    { class: 'letters' },
    Object.entries(ACTIONS).map(([letter, word]) =>
      actions.includes(letter)
        ? badge(word, 'good')
        : h('span', { class: 'badge badge-none', 'aria-hidden': 'true' }, word),
    ),
  )
}

/** @param {Answer} answer */
function permissionsPart({ isEnforced, own, permissions, isCut, deciding }) {
  if (!isEnforced)
    return [
      emptyState(
        'No permissions are checked here',
        ...(deciding === 'cluster'
          ? [
              'The cluster decides for each user. Its permissions are in its table hbase:acl: ',
              h('code', {}, 'user_permission'),
              ' in its shell lists them.',
            ]
          : [
              'Start the server with ',
              h('code', {}, '--users FILE --authorization'),
              ' to let users do only what they are granted.',
            ]),
      ),
    ]
  if (permissions.length === 0)
    return [
      emptyState(
        own.length > 0 ? 'No permissions of other users that you may see' : 'No permissions that you may see',
        'An administrator grants them in the shell: ',
        h('code', {}, "grant 'USER', 'RW', 'TABLE'"),
        '.',
      ),
    ]
  const rows = [...permissions]
    .sort((a, b) => ((a.user ?? '') < (b.user ?? '') ? -1 : 1))
    .map(({ user = '', scope, actions }) => [
      user.startsWith('@') ? h('span', {}, 'group ', h('b', {}, user.slice(1))) : user,
      scope === 'global' ? h('b', {}, 'everything') : scope,
      letters(actions),
    ])
  const element = table('Permissions', ['User or group', 'Of', 'May'], rows)
  const search = searchField('Find a user or a table', () => element.querySelectorAll('tbody tr'))
  return [
    h('div', { class: 'bar' }, search),
    element,
    ...(isCut
      ? [
          h(
            'p',
            { class: 'hint' },
            'There are more tables: user_permission in the shell lists those of any table.',
          ),
        ]
      : []),
  ]
}

/** @param {Answer} answer */
function accountsPart({ accounts }) {
  if (accounts === undefined) return []
  const { users, usersTotal, hasFile } = accounts
  if (users.length === 0)
    return hasFile || accounts.logins !== undefined
      ? []
      : [
          emptyState(
            'No users',
            'Clients need no login. Make users: ',
            h('code', {}, 'tidegate user add NAME --users FILE'),
            ', and start the server with ',
            h('code', {}, '--users FILE'),
            '.',
          ),
        ]
  const rows = users.map(({ name, hasPassword, groups }) => [
    name,
    hasPassword ? 'password' : 'no password in the file',
    groups.join(', '),
  ])
  const cut = usersTotal > users.length ? `, ${count(users.length)} of ${count(usersTotal)}` : ''
  return [table(`Users and groups of the files${cut}`, ['User', 'Login', 'Groups'], rows)]
}
