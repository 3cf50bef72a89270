/**
 * ZSTD by WebAssembly, for Nodes without it. The package's own functions wait for the compiler and copy each result twice;
 * here the module is compiled at once (some 15 ms), and its memory is used anew for each chunk.
 */

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { ChunkCodec } from '../../../../src/wire/hadoop/hadoop-framing.ts'
import { readLibraryFile } from '../../platform/node-library-file.ts'

/** The level of Hadoop and HBase: io.compression.codec.zstd.level. */
const LEVEL = 3

interface Instance {
  readonly exports: object
}

/** TypeScript knows it by its types for browsers only. */
const { WebAssembly: Wasm } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object, imports: object) => Instance
  }
}

/** The module as Emscripten makes it: functions on addresses in its memory. */
interface ZstdModule {
  instantiateWasm: (imports: object, receive: (instance: Instance) => void) => object
  init(source: Uint8Array): void
  /** Another array once the memory has grown; undefined before the start. */
  readonly HEAPU8: Uint8Array | undefined
  _malloc(bytes: number): number
  _free(address: number): void
  _ZSTD_compressBound(bytes: number): number
  _ZSTD_compress(to: number, toBytes: number, from: number, fromBytes: number, level: number): number
  _ZSTD_decompress(to: number, toBytes: number, from: number, fromBytes: number): number
  _ZSTD_isError(result: number): number
}

/** Throws where the package is missing or WebAssembly is forbidden. */
export function loadZstdModule(): ChunkCodec {
  const load = createRequire(import.meta.url)
  const folder = dirname(load.resolve('@bokuweb/zstd-wasm'))
  const { Module: zstd } = load(join(folder, 'zstd.js')) as { readonly Module: ZstdModule }
  // Another copy of this file may have begun to use it.
  if (zstd.HEAPU8 === undefined) start(zstd, join(folder, 'zstd.wasm'))
  return new ZstdMemory(zstd)
}

function start(zstd: ZstdModule, path: string): void {
  zstd.instantiateWasm = (imports, receive): object => {
    const instance = new Wasm.Instance(new Wasm.Module(readLibraryFile(path)), imports)
    receive(instance)
    return instance.exports
  }
  zstd.init(new Uint8Array(0))
}

class ZstdMemory implements ChunkCodec {
  readonly #zstd: ZstdModule
  #from = 0
  #fromBytes = 0
  #to = 0
  #toBytes = 0

  constructor(zstd: ZstdModule) {
    this.#zstd = zstd
  }

  compress(chunk: Buffer): Uint8Array {
    const zstd = this.#zstd
    this.#reserve(chunk.length, zstd._ZSTD_compressBound(chunk.length))
    zstd.HEAPU8!.set(chunk, this.#from)
    const bytes = zstd._ZSTD_compress(this.#to, this.#toBytes, this.#from, chunk.length, LEVEL)
    return Buffer.from(this.#result(bytes))
  }

  /** The bytes are good until the next call. */
  decompress(chunk: Buffer, bytesMax: number): Uint8Array {
    const zstd = this.#zstd
    this.#reserve(chunk.length, bytesMax)
    zstd.HEAPU8!.set(chunk, this.#from)
    return this.#result(zstd._ZSTD_decompress(this.#to, bytesMax, this.#from, chunk.length))
  }

  #result(bytes: number): Uint8Array {
    if (this.#zstd._ZSTD_isError(bytes) !== 0) throw new Error('it is no ZSTD frame of the stated size')
    return this.#zstd.HEAPU8!.subarray(this.#to, this.#to + bytes)
  }

  #reserve(fromBytes: number, toBytes: number): void {
    const zstd = this.#zstd
    if (fromBytes > this.#fromBytes) {
      if (this.#from !== 0) zstd._free(this.#from)
      this.#from = zstd._malloc(fromBytes)
      this.#fromBytes = fromBytes
    }
    if (toBytes > this.#toBytes) {
      if (this.#to !== 0) zstd._free(this.#to)
      this.#to = zstd._malloc(toBytes)
      this.#toBytes = toBytes
    }
  }
}
