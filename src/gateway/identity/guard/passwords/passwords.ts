/** The stored form of passwords in the password file: `scrypt$LOG2_OF_N$R$P$SALT$HASH`, salt and hash in base64url. */

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** A setting for scrypt from OWASP's Password Storage Cheat Sheet: 16 MiB, five times. */
const COST: Cost = { log2n: 14, r: 8, p: 5 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** The largest costs that the file may have: a check then takes up to 256 MiB, and some seconds. */
const LOG2_N_MAX = 18
const R_MAX = 8
const P_MAX = 16

interface Cost {
  readonly log2n: number
  readonly r: number
  readonly p: number
}

export interface StoredPassword extends Cost {
  readonly salt: Buffer
  readonly hash: Buffer
}

/** Checked for unknown users, so that the answer takes as long as for known ones. No password matches it. */
export const NO_PASSWORD: StoredPassword = {
  ...COST,
  salt: randomBytes(SALT_BYTES),
  hash: randomBytes(HASH_BYTES),
}

export async function storedPassword(password: string): Promise<string> {
  const salt = randomBytes(SALT_BYTES)
  const hash = await derived(password, salt, COST)
  const texts = [salt, hash].map((bytes) => bytes.toString('base64url'))
  return ['scrypt', COST.log2n, COST.r, COST.p, ...texts].join('$')
}

/** Undefined for a text that is not the form of storedPassword. */
export function parseStoredPassword(text: string): StoredPassword | undefined {
  const match = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(text)
  if (match === null) return undefined
  const [log2n, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [salt, hash] = [Buffer.from(match[4]!, 'base64url'), Buffer.from(match[5]!, 'base64url')]
  const isCheap = log2n < 10 || log2n > LOG2_N_MAX || r < 1 || r > R_MAX || p < 1 || p > P_MAX
  if (isCheap || salt.length < SALT_BYTES || hash.length !== HASH_BYTES) return undefined
  return { log2n, r, p, salt, hash }
}

/** Whether both are one result of hashing: a file that is read again makes new objects of the same passwords. */
export function isSamePassword(a: StoredPassword, b: StoredPassword): boolean {
  const isSameCost = a.log2n === b.log2n && a.r === b.r && a.p === b.p
  return isSameCost && a.salt.equals(b.salt) && a.hash.equals(b.hash)
}

export async function isPassword(password: string, stored: StoredPassword): Promise<boolean> {
  return timingSafeEqual(await derived(password, stored.salt, stored), stored.hash)
}

function derived(password: string, salt: Buffer, { log2n, r, p }: Cost): Promise<Buffer> {
  const options: ScryptOptions = { N: 2 ** log2n, r, p, maxmem: 2 * 128 * r * 2 ** log2n }
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFC'), salt, HASH_BYTES, options, (error, key) => {
      if (error === null) resolve(key)
      else reject(error)
    })
  })
}
