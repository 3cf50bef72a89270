/** Damaged store files, as the pages of tables and rows show them, with the command that repairs the store. */

import { escaped, fromBase64 } from './bytes.js'
import { copy, h } from './dom.js'

/**
 * @typedef {object} Damage a damaged file of a table
 * @property {string} path
 * @property {string} reason
 * @property {string} [directory] the folder of the store
 * @property {readonly string[]} [regions] the encoded names of the regions that need the file
 * @property {readonly { from: string, to: string }[]} [rows] base64; absent: all rows of the regions may be unreadable
 *
 * @typedef {object} Gap damaged rows within a page of rows
 * @property {number} at the number of the page's rows before it
 * @property {string} path
 * @property {string} reason
 * @property {string} [region] its encoded name
 * @property {string} from the row before it, base64
 * @property {string} [to] the row at which reading went on, base64; absent: the end of the table
 * @property {string} [directory]
 */

/** @param {string} text an argument of a shell command */
function quoted(text) {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
}

/** @param {string} row base64 */
function key(row) {
  return h('code', {}, row === '' ? 'the first row' : escaped(fromBase64(row)))
}

/** The end of damaged rows. The least key behind a row ends with a zero byte. @param {string | undefined} to base64 */
function end(to) {
  if (to === undefined) return [' up to the end of the table']
  const bytes = fromBase64(to)
  if (bytes.at(-1) !== 0) return [' and before ', key(to)]
  return [' up to ', h('code', {}, escaped(bytes.subarray(0, -1)))]
}

/** The command that repairs the store, with a button to copy it. @param {string | undefined} directory */
function repair(directory) {
  if (directory === undefined) return undefined
  const command = `tidegate repair ${quoted(directory)}`
  return h(
    'p',
    { class: 'repair' },
    'Put the file back from a copy; the server then reads it again by itself. Or stop the server, run ',
    h('code', {}, command),
    ' and start it again: this saves all sound cells, and sets the damaged file aside. ',
    h(
      'button',
      { type: 'button', class: 'quiet', onclick: () => copy(command, 'the command') },
      'Copy the command',
    ),
  )
}

/** @param {readonly Damage[]} damage */
export function damageCard(damage) {
  if (damage.length === 0) return ''
  const [first] = damage
  const files = damage.map(({ path, reason, regions = [], rows }) =>
    h(
      'li',
      {},
      h('code', {}, path),
      // The reason repeats the path.
      h('p', {}, reason.replace(` ${path}:`, ':')),
      h(
        'p',
        {},
        regions.length === 0 ? 'No region needs it.' : regions.length === 1 ? 'Region ' : 'Regions ',
        regions.flatMap((region, index) => [index === 0 ? '' : ', ', h('code', {}, region)]),
        regions.length === 0
          ? ''
          : rows === undefined
            ? ': no row of the family can be read there.'
            : ': rows that cannot be read: ',
        (rows ?? []).flatMap(({ from, to }, index) => [index === 0 ? '' : '; ', key(from), ' to ', key(to)]),
      ),
    ),
  )
  return h(
    'section',
    { class: 'card damaged', 'aria-labelledby': 'damage-title' },
    h(
      'h2',
      { id: 'damage-title' },
      damage.length === 1 ? 'A store file is damaged' : `${damage.length} store files are damaged`,
    ),
    h('p', {}, 'Reads that need the damaged places fail. All other rows are read, and writes are taken.'),
    h('ul', {}, files),
    repair(first?.directory),
  )
}

/** The row of a table of rows that stands for rows that cannot be read. @param {Gap} gap @param {number} columns */
export function gapRow({ at, path, reason, region, from, to, directory }, columns) {
  return h(
    'tr',
    { class: 'gap' },
    h(
      'td',
      { colspan: columns },
      h(
        'div',
        { class: 'gap-words', role: 'note' },
        h(
          'p',
          {},
          h('strong', {}, 'Damaged: '),
          ...(at > 0
            ? ['rows behind ', key(from)]
            : from === ''
              ? ['rows from the beginning']
              : ['rows from ', key(from)]),
          ...end(to),
          ' cannot be read.',
        ),
        h(
          'p',
          {},
          ...(region === undefined ? ['File '] : ['Region ', h('code', {}, region), ', file ']),
          h('code', {}, path),
          '.',
        ),
        h(
          'details',
          {},
          h('summary', {}, 'Reason, and how to repair it'),
          h('p', {}, reason),
          repair(directory),
        ),
      ),
    ),
  )
}
