/** Writes a read as a command for curl, HBase's shell or happybase. Each has its language's escapes for bytes of keys and filters. */

import { escaped, isPrintable } from './bytes.js'

/**
 * @typedef {object} Read the read that the page of rows shows; `row` only for a read of one row
 * @property {string} table
 * @property {Uint8Array} [row]
 * @property {Uint8Array} [start]
 * @property {Uint8Array} [stop]
 * @property {Uint8Array} [prefix]
 * @property {readonly Uint8Array[]} columns `family` or `family:qualifier`
 * @property {string} versions a number or `all`; empty: one
 * @property {string} from the minimum timestamp; empty: none
 * @property {string} to the maximum timestamp, exclusive; empty: none
 * @property {string} filter
 * @property {number} rows
 *
 * @typedef {object} Place the address of the doors
 * @property {string} protocol `http:` or `https:`
 * @property {string} host
 * @property {number} [rest] the port of the REST door; absent: the door is off
 * @property {number} [thrift] the port of the Thrift door; absent: the door is off
 * @property {string} [user]
 */

const ALL_VERSIONS = 2147483647

/** @param {Uint8Array} bytes percent-encoded for an address */
function percent(bytes) {
  let text = ''
  for (const byte of bytes) {
    const character = String.fromCharCode(byte)
    text += /[A-Za-z0-9._~-]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return text
}

/** @param {string} text */
function utf8(text) {
  return new TextEncoder().encode(text)
}

/**
 * The first row after all rows with the prefix, as rowAfterPrefix of src/model/bytes.ts; undefined: the end of the table.
 *
 * @param {Uint8Array} prefix
 */
export function afterPrefix(prefix) {
  let { length } = prefix
  while (length > 0 && prefix[length - 1] === 0xff) length--
  if (length === 0) return undefined
  const after = Uint8Array.from(prefix.subarray(0, length))
  after[length - 1] = /** @type {number} */ (after[length - 1]) + 1
  return after
}

/** @param {Read} read */
function versionsOf({ versions }) {
  return versions === 'all' ? ALL_VERSIONS : Number(versions || 1)
}

/** @param {string} text quoted for a POSIX shell */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

const TEXT = "'Accept: application/json;cells=text'"

/** @param {Read} read @param {Place} place */
export function asCurl(read, { protocol, host, rest, user }) {
  if (rest === undefined) return '# the REST door is off'
  const base = `${protocol}//${host}:${rest}/${percent(utf8(read.table))}`
  const curl = `curl -s${user === undefined ? '' : ` --user ${quoted(user)}`}`
  if (read.row !== undefined) return `${curl} -H ${TEXT} ${quoted(`${base}/${rowPath(read, read.row)}`)}`
  const stop = read.prefix === undefined ? read.stop : afterPrefix(read.prefix)
  const start = read.prefix ?? read.start
  const keys = [start, stop, ...read.columns].filter((key) => key !== undefined)
  if (!keys.every(isUtf8)) return byScanner(read, start, stop, { base, curl })
  const versions = versionsOf(read)
  const parts = [
    ...(start === undefined ? [] : [`startrow=${percent(start)}`]),
    ...(stop === undefined ? [] : [`endrow=${percent(stop)}`]),
    ...read.columns.map((column) => `column=${percent(column)}`),
    ...(versions === 1 ? [] : [`maxversions=${versions}`]),
    ...(read.from === '' ? [] : [`starttime=${read.from}`]),
    ...(read.to === '' ? [] : [`endtime=${read.to}`]),
    ...(read.filter === '' ? [] : [`filter=${percent(utf8(read.filter))}`]),
    `limit=${read.rows}`,
  ]
  return `${curl} -H ${TEXT} ${quoted(`${base}/*?${parts.join('&')}`)}`
}

/**
 * The path of one row. Unprintable keys are escaped, which the REST door reads with `e=text`.
 *
 * @param {Read} read @param {Uint8Array} row
 */
function rowPath(read, row) {
  const isText = [row, ...read.columns].some((key) => !key.every(isPrintable))
  const part = isText ? (/** @type {Uint8Array} */ key) => percent(utf8(escaped(key))) : percent
  const versions = versionsOf(read)
  const query = [...(isText ? ['e=text'] : []), ...(versions === 1 ? [] : [`v=${versions}`])].join('&')
  const columns = read.columns.length === 0 ? '' : `/${read.columns.map(part).join(',')}`
  return `${part(row)}${columns}${query === '' ? '' : `?${query}`}`
}

/**
 * A command that opens a scanner and reads it, for keys that are not UTF-8: HBase's REST accepts only UTF-8 in the address of a scan.
 *
 * @param {Read} read
 * @param {Uint8Array | undefined} start
 * @param {Uint8Array | undefined} stop
 * @param {{ base: string, curl: string }} parts
 */
function byScanner(read, start, stop, { base, curl }) {
  const body = JSON.stringify({
    ...(start !== undefined && { startRow: escaped(start) }),
    ...(stop !== undefined && { endRow: escaped(stop) }),
    ...(read.columns.length > 0 && { column: read.columns.map(escaped) }),
    maxVersions: versionsOf(read),
    ...(read.filter !== '' && { filter: read.filter }),
  })
  const times = [
    ...(read.from === '' ? [] : [`,"startTime":${read.from}`]),
    ...(read.to === '' ? [] : [`,"endTime":${read.to}`]),
  ].join('')
  const made = `${curl} -o /dev/null -w '%header{location}' -X PUT -H 'Content-Type: application/json;cells=text'`
  const described = quoted(`${body.slice(0, -1)}${times}}`)
  return `${curl} -H ${TEXT} "$(${made} -d ${described} ${quoted(`${base}/scanner`)})?n=${read.rows}"`
}

/** @param {Uint8Array} bytes */
function isUtf8(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** @param {Uint8Array} bytes as a string of Ruby in double quotes */
function ruby(bytes) {
  let text = ''
  for (const byte of bytes) {
    const isOdd = !isPrintable(byte) || byte === 0x22 || byte === 0x23
    text += isOdd ? `\\x${byte.toString(16).toUpperCase().padStart(2, '0')}` : String.fromCharCode(byte)
  }
  return `"${text}"`
}

/** @param {Read} read */
export function asShell(read) {
  const { from, to, filter, columns } = read
  const versions = versionsOf(read)
  const options = [
    ...(columns.length === 0 ? [] : [`COLUMNS => [${columns.map(ruby).join(', ')}]`]),
    ...(versions === 1 ? [] : [`VERSIONS => ${versions}`]),
    ...(from === '' && to === '' ? [] : [`TIMERANGE => [${from || 0}, ${to || '9223372036854775807'}]`]),
    ...(filter === '' ? [] : [`FILTER => ${ruby(utf8(filter))}`]),
  ]
  const table = ruby(utf8(read.table))
  if (read.row !== undefined) {
    return `get ${table}, ${ruby(read.row)}${options.length === 0 ? '' : `, {${options.join(', ')}}`}`
  }
  const range = [
    ...(read.prefix === undefined ? [] : [`ROWPREFIXFILTER => ${ruby(read.prefix)}`]),
    ...(read.prefix !== undefined || read.start === undefined ? [] : [`STARTROW => ${ruby(read.start)}`]),
    ...(read.prefix !== undefined || read.stop === undefined ? [] : [`STOPROW => ${ruby(read.stop)}`]),
  ]
  return `scan ${table}, {${[...range, ...options, `LIMIT => ${read.rows}`].join(', ')}}`
}

/** @param {Uint8Array} bytes */
function python(bytes) {
  let text = ''
  for (const byte of bytes) {
    const isOdd = !isPrintable(byte) || byte === 0x27
    text += isOdd ? `\\x${byte.toString(16).padStart(2, '0')}` : String.fromCharCode(byte)
  }
  return `b'${text}'`
}

/** @param {Read} read @param {Place} place */
export function asHappybase(read, { host, thrift }) {
  if (thrift === undefined) return '# the Thrift door is off'
  const columns = read.columns.length === 0 ? [] : [`columns=[${read.columns.map(python).join(', ')}]`]
  const times = read.to === '' ? [] : [`timestamp=${read.to}`]
  const left = [
    ...(read.from === '' ? [] : ['# happybase has no minimum timestamp']),
    ...(versionsOf(read) === 1 ? [] : ['# for more versions: table.cells(row, column, versions=N)']),
  ]
  const head = [
    'import happybase',
    `table = happybase.Connection('${host.replace(/^\[|\]$/g, '')}', ${thrift}).table(${python(utf8(read.table))})`,
    ...left,
  ]
  if (read.row !== undefined) {
    return [...head, `print(table.row(${[python(read.row), ...columns, ...times].join(', ')}))`].join('\n')
  }
  const range = [
    ...(read.prefix === undefined ? [] : [`row_prefix=${python(read.prefix)}`]),
    ...(read.prefix !== undefined || read.start === undefined ? [] : [`row_start=${python(read.start)}`]),
    ...(read.prefix !== undefined || read.stop === undefined ? [] : [`row_stop=${python(read.stop)}`]),
  ]
  const filter = read.filter === '' ? [] : [`filter=${python(utf8(read.filter))}`]
  const options = [...range, ...columns, ...filter, ...times, `limit=${read.rows}`]
  return [...head, `for row, cells in table.scan(${options.join(', ')}):`, '    print(row, cells)'].join('\n')
}
