/**
 * Replaces values that a server chooses by itself with names, so that two recordings are the same. Each rule has its
 * reason; a rule that is not needed hides differences, so there are few.
 */

export interface NormaliseRule {
  readonly name: string
  readonly reason: string
  readonly pattern: RegExp
  readonly replacement: string | ((match: string, ...groups: string[]) => string)
}

/** Times that the suite states itself are all before 2024 or far in the future. */
const NOW_MS_MIN = 1_704_067_200_000
const NOW_MS_MAX = 4_102_444_800_000

function nowOr(match: string): string {
  const millis = Number(match)
  return millis >= NOW_MS_MIN && millis < NOW_MS_MAX ? '<now>' : match
}

const REPEATED_CLASS = /\b((?:java|org)\.[\w.$]+): (?:\1: )+/g

export const RULES: readonly NormaliseRule[] = [
  {
    name: 'encoded-region-name',
    reason: 'an encoded region name is an MD5 over the time at which the region was made',
    pattern: /(,\d{13}(?:_[0-9A-F]{4})?\.)[0-9a-f]{32}\./g,
    replacement: '$1<md5>.',
  },
  {
    name: 'region-server-address',
    reason: 'where a region server listens is its own, where it listens at all',
    pattern: /\b((?:serverName|hostName)=)'[^']*'|\b(port=)\d+/g,
    replacement: (_, name = '', port = '') => `${name}${port}<server>`,
  },
  {
    name: 'cluster-id',
    reason: 'a cluster’s id is a UUID that it drew when it was made',
    pattern: /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
    replacement: '<uuid>',
  },
  {
    name: 'repeated-class',
    reason:
      'how often a failure says its Java class tells how many of the server’s processes have passed it on',
    pattern: REPEATED_CLASS,
    replacement: '$1: ',
  },
  {
    name: 'required-field-struct',
    reason: 'after the name of a missing field Java prints the struct as it stood, or its place in memory',
    pattern: /(Required field \\x27\w+\\x27 was not (?:present|found in serialized data)!) Struct: .*/g,
    replacement: "$1'",
  },
  {
    name: 'scanner-path',
    reason: 'a REST scanner’s id is the server’s choice',
    pattern: /\/scanner\/[0-9a-zA-Z]+/g,
    replacement: '/scanner/<id>',
  },
  {
    name: 'server-timestamp',
    reason:
      'a cell without a stated time gets the server’s present time; the suite states no time from 2024 to 2100',
    pattern: /\b\d{13}(?:\b|(?=_[0-9A-F]{4}\b))/g,
    replacement: nowOr,
  },
  {
    name: 'internal-error-reason',
    reason:
      'HBase says nothing of why a Thrift call failed as no exception of its IDL; Tidegate goes on with the reason',
    pattern: /(Internal error processing \w+): [^'\n]*/g,
    replacement: '$1',
  },
  {
    name: 'filter-reason',
    reason: 'HBase says nothing of why it refuses the filter of a REST scanner; Tidegate adds a line',
    pattern: /\bBad request\\r\n *filter: .*/g,
    replacement: 'Bad request',
  },
  {
    name: 'server-name',
    reason: 'host, port and start time of a region server are its own',
    pattern: /\b(?:localhost|127\.0\.0\.1|[\w.-]+)(?::|,)\d{4,5}(?:,<now>)?/g,
    replacement: (match) => (/^(?:localhost|127\.0\.0\.1)/.test(match) ? '<server>' : match),
  },
  {
    name: 'not-online',
    reason: 'HBase names the region server on which a region is not; Tidegate says that it is this one',
    pattern: / is not online on (?:<server>|this server)/g,
    replacement: ' is not online on <server>',
  },
  {
    name: 'encoded-region',
    reason: 'the encoded name of a region is a digest of the time at which it was made, too',
    pattern:
      /((?:NotServing|Unknown)RegionException: |\bregion=|\bREGION_NAME, value=')(?!0{32})[0-9a-f]{32}\b/g,
    replacement: '$1<encoded>',
  },
  {
    name: 'encoded-of-a-region',
    reason: 'so does a region that is printed whole',
    pattern: /\bENCODED => [0-9a-f]{32}/g,
    replacement: 'ENCODED => <encoded>',
  },
  {
    name: 'request-of-a-scanner',
    reason: 'HBase prints the request that came out of order, with its scanner id',
    pattern: /; request=scanner_id: [^']*/g,
    replacement: '',
  },
  {
    name: 'servers-with-issues',
    reason:
      'how often and at which servers an action failed stands behind its stack trace, and goes with that',
    pattern: /: \d+ times?, servers with issues: [^']*/g,
    replacement: '',
  },
]

/**
 * An exception's text up to its Java stack trace, which names lines of the server's own source: Tidegate answers the
 * exception alone. Applied to raw text, before it is printed.
 */
export function dropStackTrace(text: string): string {
  const trace = /\r?\n\s+at [\w.]/.exec(text)
  return trace === null ? text : text.slice(0, trace.index)
}

/** The rule `repeated-class` alone, for text whose length decides how it is laid out. */
export function sayClassOnce(text: string): string {
  return text.replace(REPEATED_CLASS, '$1: ')
}

export function normalise(text: string): string {
  let normalised = text
  for (const { pattern, replacement } of RULES) {
    normalised =
      typeof replacement === 'string'
        ? normalised.replace(pattern, replacement)
        : normalised.replace(pattern, replacement)
  }
  return normalised
}
