/** Times in the claims of a token: seconds since 1970. */

import type { JWTPayload } from 'jose'
import { Refused } from '../login-errors.ts'

const CLAIMS = ['exp', 'nbf', 'iat'] as const

/** 9999-12-31T23:59:59Z: the last second that RFC 3339 and most token libraries can write. */
export const TOKEN_SECONDS_MAX = 253_402_300_799

/**
 * Throws Refused for a time that is no whole number from 0 to TOKEN_SECONDS_MAX. A token with an infinite number (`1e999` in
 * JavaScript) would never expire. A fraction or a negative number is a fault of the program that signs.
 */
export function checkTimes(claims: JWTPayload): void {
  for (const name of CLAIMS) {
    const time: unknown = claims[name]
    if (time === undefined || isTime(time)) continue
    throw new Refused(
      `the token is refused: its claim ${name} is no whole number of seconds from 0 to ${TOKEN_SECONDS_MAX}`,
    )
  }
}

function isTime(time: unknown): boolean {
  return Number.isInteger(time) && (time as number) >= 0 && (time as number) <= TOKEN_SECONDS_MAX
}
