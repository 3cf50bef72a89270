/**
 * CRC-32 and CRC-32C. The package @node-rs/crc32 has a build for each platform as an optional package of its own, which npm leaves out with
 * --omit=optional. Without it Node's zlib sums CRC-32 where it can, and plain JavaScript sums the rest.
 */

import { createRequire } from 'node:module'
import * as zlib from 'node:zlib'
import type * as NativeCrc from '@node-rs/crc32'
import { CRC32_POLYNOMIAL, CRC32C_POLYNOMIAL, crcTable, slicedCrc } from './sliced-crc.ts'

/** The sum of the bytes as an unsigned number. `before`: the sum of the bytes before them, 0 where there are none. */
export type Crc = (bytes: Uint8Array, before?: number) => number

export interface Checksums {
  readonly crc32: Crc
  readonly crc32c: Crc
  /** False: no native build is there, and CRC-32C takes several times as long. */
  readonly areNative: boolean
}

/** Node's own function since 20.15 and 22.2. */
type CrcOfNode = Partial<Pick<typeof zlib, 'crc32'>>

/** `loadNative` throws where there is no build for this platform. */
export function loadChecksums(
  loadNative: () => Pick<Checksums, 'crc32' | 'crc32c'>,
  ofNode: CrcOfNode = zlib,
): Checksums {
  try {
    const { crc32, crc32c } = loadNative()
    return { crc32, crc32c, areNative: true }
  } catch {
    const crc32 = ofNode.crc32 ?? plainCrc(CRC32_POLYNOMIAL)
    return { crc32, crc32c: plainCrc(CRC32C_POLYNOMIAL), areNative: false }
  }
}

function plainCrc(polynomial: number): Crc {
  const table = crcTable(polynomial)
  return (bytes, before = 0) => slicedCrc(table, bytes, 0, bytes.length, before)
}

const loaded: Checksums = loadChecksums(
  () => createRequire(import.meta.url)('@node-rs/crc32') as typeof NativeCrc,
)
export const crc32: Crc = loaded.crc32
export const crc32c: Crc = loaded.crc32c
export const areChecksumsNative: boolean = loaded.areNative
