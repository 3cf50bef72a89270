/** The parameters of HBase's /jmx: `qry` selects beans by a pattern of their names, `get` attributes of one bean. */

import type { Bean } from './bean.ts'

export interface JmxAnswer {
  readonly status: 200 | 400 | 404
  readonly body: object
}

/** The answer to a query. HBase: JMXJsonServlet. */
export function jmxAnswer(all: readonly Bean[], query: URLSearchParams): JmxAnswer {
  const get = query.get('get')
  if (get === null) {
    const pattern = query.get('qry')
    return {
      status: 200,
      body: { beans: pattern === null ? all : all.filter(({ name }) => matches(name, pattern)) },
    }
  }
  const [name = '', attributes, ...more] = get.split('::')
  if (attributes === undefined || more.length > 0) {
    return { status: 400, body: { result: 'ERROR', message: 'query format is not as expected.' } }
  }
  const bean = all.find((each) => each.name === name)
  const wanted = attributes.split(',')
  const found = Object.entries(bean ?? {}).filter(
    ([attribute]) => attribute === 'name' || wanted.some((pattern) => isOf(attribute, pattern)),
  )
  if (bean === undefined || found.length < 2) {
    return {
      status: 404,
      body: { result: 'ERROR', message: 'No beans or no attribute of that name were found.' },
    }
  }
  return { status: 200, body: { beans: [Object.fromEntries(found)] } }
}

/** True where the attribute matches. HBase accepts regular expressions, which can be slow; here only `*` stands for any characters. */
function isOf(attribute: string, pattern: string): boolean {
  return attribute === pattern || isLike(attribute, pattern.replace(/\[[^\]]*\]\*/g, '*'))
}

/** True where an ObjectName matches a pattern: properties in any order, wildcards `*` and `?`, and a property `*` for further properties. */
function matches(name: string, pattern: string): boolean {
  const [domain, properties] = parts(name)
  const [wantedDomain, wanted] = parts(pattern)
  if (!isLike(domain, wantedDomain)) return false
  const isOpen = wanted.includes('*')
  const named = wanted.filter((property) => property !== '*')
  if (!isOpen && named.length !== properties.length) return false
  return named.every((property) => properties.some((own) => isLike(own, property)))
}

function parts(name: string): [string, string[]] {
  const colon = name.indexOf(':')
  return colon < 0 ? [name, ['*']] : [name.slice(0, colon), name.slice(colon + 1).split(',')]
}

/** Matches `*` and `?`, in at most text length times pattern length steps. */
function isLike(text: string, pattern: string): boolean {
  let [at, in_, star, from] = [0, 0, -1, 0]
  while (at < text.length) {
    if (
      in_ < pattern.length &&
      (pattern[in_] === '?' || (pattern[in_] !== '*' && pattern[in_] === text[at]))
    ) {
      at++
      in_++
    } else if (pattern[in_] === '*') {
      star = in_++
      from = at
    } else if (star >= 0) {
      in_ = star + 1
      at = ++from
    } else return false
  }
  while (pattern[in_] === '*') in_++
  return in_ === pattern.length
}
