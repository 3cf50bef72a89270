/** Passwords as the password file keeps them: `scrypt$LOG2_OF_N$R$P$SALT$HASH`, salt and hash in base64url. */

import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto'

/** One of the settings that OWASP's Password Storage Cheat Sheet gives for scrypt: 16 MiB, five times over. */
const COST: Cost = { log2n: 14, r: 8, p: 5 }
const SALT_BYTES = 16
const HASH_BYTES = 32
/** Whoever writes the file may choose other costs, up to these: a check then takes at most 256 MiB, and some seconds. */
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

/** Stands for a user who is not there, so that his answer takes as long. Nobody knows its password. */
export const NOBODY: StoredPassword = {
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

/** Undefined for a text that storedPassword has not made. */
export function parseStoredPassword(text: string): StoredPassword | undefined {
  const match = /^scrypt\$(\d{1,2})\$(\d{1,2})\$(\d{1,2})\$([\w-]+)\$([\w-]+)$/.exec(text)
  if (match === null) return undefined
  const [log2n, r, p] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [salt, hash] = [Buffer.from(match[4]!, 'base64url'), Buffer.from(match[5]!, 'base64url')]
  const isCheap = log2n < 10 || log2n > LOG2_N_MAX || r < 1 || r > R_MAX || p < 1 || p > P_MAX
  if (isCheap || salt.length < SALT_BYTES || hash.length !== HASH_BYTES) return undefined
  return { log2n, r, p, salt, hash }
}

/** Whether both were made of one password by the same hashing: a file that is read again has them anew. */
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
