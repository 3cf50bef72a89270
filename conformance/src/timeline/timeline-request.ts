/** The requests of cases of the timeline. */

import { rest } from '../runner/case.ts'
import { type NamedCase, named } from '../runner/case-list.ts'

const ROOT = '/ws/v1/timeline'
const JSON_BODY = { 'content-type': 'application/json' }

/** `label`: names the case where the path is asked twice or does not say enough. */
export function get(path: string, label: string = path): NamedCase {
  return named(label, rest('GET', ROOT + path))
}

export function post(label: string, body: unknown, user = 'alice'): NamedCase {
  return postText(label, JSON.stringify(body), user)
}

/** For JSON that JavaScript would write otherwise, and for what is no JSON. */
export function postText(label: string, body: string, user = 'alice'): NamedCase {
  return named(label, rest('POST', `${ROOT}?user.name=${user}`, JSON_BODY, body))
}

/** A post of one entity. */
export function entity(label: string, fields: object, user = 'alice'): NamedCase {
  return post(label, { entities: [fields] }, user)
}

export function putDomain(label: string, body: string, user = 'alice'): NamedCase {
  return named(label, rest('PUT', `${ROOT}/domain?user.name=${user}`, JSON_BODY, body))
}

export function ask(
  label: string,
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): NamedCase {
  return named(label, rest(method, ROOT + path, headers, body))
}
