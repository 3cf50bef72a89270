/** The REST door's settings for browsers: HBase's keys of its filters. */

import { Csrf, type CsrfSettings } from '../../doors/rest/http/csrf.ts'
import type { SecurityHeaderSettings } from '../../doors/rest/http/security-headers.ts'
import { reasonOf } from '../../model/error-reason.ts'
import { UsageError } from '../failures/usage-error.ts'

export interface BrowserSettings {
  /** Undefined: no header is asked for. */
  readonly csrf?: CsrfSettings | undefined
  readonly securityHeaders?: SecurityHeaderSettings | undefined
}

export const CSRF_ENABLED = 'hbase.rest.csrf.enabled'
/** HBase's constant names the first, its filter reads the second. */
const CSRF_HEADERS = ['hbase.rest-csrf.custom-header', 'hbase.rest.csrf.custom.header'] as const
const CSRF_METHODS = ['hbase.rest-csrf.methods-to-ignore', 'hbase.rest.csrf.methods.to.ignore'] as const
const CSRF_BROWSERS = 'hbase.rest-csrf.browser-useragents-regex'
const FRAME_OPTIONS = 'hbase.http.filter.xframeoptions.mode'
const HSTS = 'hbase.http.filter.hsts.value'
const CSP = 'hbase.http.filter.csp.value'

export const BROWSER_KEYS: readonly string[] = [
  CSRF_ENABLED,
  ...CSRF_HEADERS,
  ...CSRF_METHODS,
  CSRF_BROWSERS,
  FRAME_OPTIONS,
  HSTS,
  CSP,
]

/** A header's name, RFC 9110. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/

/** `hasCsrf`: the value of CSRF_ENABLED. Throws UsageError. */
export function browserSettings(properties: ReadonlyMap<string, string>, hasCsrf: boolean): BrowserSettings {
  const first = (keys: readonly string[], otherwise: string): string =>
    keys.map((key) => properties.get(key)).find((value) => value !== undefined) ?? otherwise
  const header = first(CSRF_HEADERS, 'X-XSRF-HEADER').trim()
  if (!TOKEN.test(header))
    throw new UsageError(
      `${CSRF_HEADERS[0]} = "${header}" is invalid. It must be the name of a header.`,
      CSRF_HEADERS[0],
    )
  const csrf: CsrfSettings = {
    header,
    methodsToIgnore: first(CSRF_METHODS, 'GET,OPTIONS,HEAD,TRACE').split(','),
    browsers: first([CSRF_BROWSERS], '^Mozilla.*,^Opera.*').split(','),
  }
  const [frameOptions, hsts, csp] = [FRAME_OPTIONS, HSTS, CSP].map((key) =>
    headerValue(key, properties.get(key)),
  )
  const isStated = [frameOptions, hsts, csp].some((value) => value !== undefined)
  return {
    csrf: hasCsrf ? checked(csrf) : undefined,
    securityHeaders: isStated ? { frameOptions, hsts, csp } : undefined,
  }
}

function checked(csrf: CsrfSettings): CsrfSettings {
  try {
    void new Csrf(csrf)
    return csrf
  } catch (error) {
    const text = csrf.browsers.join(',')
    throw new UsageError(`${CSRF_BROWSERS} = "${text}" is invalid. ${reasonOf(error)}`, CSRF_BROWSERS)
  }
}

function headerValue(key: string, value: string | undefined): string | undefined {
  if (value !== undefined && !/^[\t\x20-\x7e]*$/.test(value))
    throw new UsageError(`${key} = "${value}" is invalid. It must be the value of a header.`, key)
  return value
}
