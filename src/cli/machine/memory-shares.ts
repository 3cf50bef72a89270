/** The memory of the whole process (`--memory-max`), and how it is shared out. */

import { totalmem } from 'node:os'
import type { NativeOptions } from '../../../adapters/native/options/native-options.ts'
import { StartError } from '../failures/start-error.ts'
import { containerMemoryMax } from './container-memory.ts'

const MIB = 1024 * 1024

/** Code, objects that live as long as the process, and what is allocated between two collections. */
const PROCESS_BYTES = 96 * MIB
/** Code and objects of each thread that serves connections. */
const DOOR_THREAD_BYTES = 60 * MIB
/** The part of the memory for requests that the threads of `--threads auto` may take for themselves. */
const AUTO_THREADS_PART = 1 / 4
/** The embedded engine's threads that write store files: what they read and write at a time. */
const FILE_THREADS_BYTES = 64 * MIB
/** The least memory with a strict limit. With less, the largest cells may take more: reads and compactions hold one for each store file. */
const STRICT_BYTES_MIN = 384 * MIB
/** glibc keeps up to some 200 MiB of freed blocks below 4 MiB, which a process with less memory cannot spare. */
const ROOMY_BYTES_MIN = 1024 * MIB
/** The least memory for requests with which Tidegate starts. */
const REQUESTS_BYTES_MIN = 16 * MIB
/** A container is there for Tidegate; a machine has other work, too. */
const CONTAINER_PART = 3 / 4
const MACHINE_PART = 1 / 2

/** The memory of the container, in bytes; undefined outside of one. */
function containerBytes(): number | undefined {
  const constrained = containerMemoryMax() ?? process.constrainedMemory?.() ?? 0
  return constrained > 0 && constrained < totalmem() ? constrained : undefined
}

/** Memory of the machine, or what a container leaves of it, in bytes. */
export function memoryBytes(): number {
  return containerBytes() ?? totalmem()
}

/** The default of `--memory-max`, in bytes. */
export function defaultMemoryMax(): number {
  const container = containerBytes()
  return Math.floor(container === undefined ? totalmem() * MACHINE_PART : container * CONTAINER_PART)
}

export type NativeMemory = Pick<
  NativeOptions,
  'memstoreBytesMax' | 'flushBytes' | 'heldSnapshotBytesMax' | 'awakeBytesMax' | 'blockCacheBytes'
>

/** The engine's part of the memory. Stated options win. */
export function nativeMemory(memoryMax: number, stated: Partial<NativeOptions>): NativeMemory {
  const shared = sharedBytes(memoryMax)
  const memstoreBytesMax = stated.memstoreBytesMax ?? Math.min(512 * MIB, Math.floor(shared / 6))
  return {
    memstoreBytesMax,
    flushBytes: stated.flushBytes ?? Math.min(128 * MIB, Math.floor(memstoreBytesMax / 2)),
    heldSnapshotBytesMax: Math.min(256 * MIB, Math.floor(shared / 20)),
    awakeBytesMax: Math.min(64 * MIB, Math.floor(shared / 20)),
    blockCacheBytes: stated.blockCacheBytes ?? blockCacheMax(memoryMax),
  }
}

/** The default size of the block cache, in bytes. */
export function blockCacheMax(memoryMax: number): number {
  return Math.floor(sharedBytes(memoryMax) / 5)
}

/** The memory that the engine and requests share. */
function sharedBytes(memoryMax: number): number {
  return Math.max(0, memoryMax - PROCESS_BYTES - FILE_THREADS_BYTES)
}

/**
 * The bytes that are left for requests. `native`: undefined for another store. `processes`: `memoryMax` is the part of one of so many. Throws
 * StartError where that is too little.
 */
export function requestsMemory(memoryMax: number, native: NativeMemory | undefined, processes = 1): number {
  // A flush hands a copy of the memstore to its thread.
  const ofStore =
    native === undefined
      ? 0
      : FILE_THREADS_BYTES +
        native.memstoreBytesMax +
        native.flushBytes +
        native.heldSnapshotBytesMax +
        native.awakeBytesMax +
        native.blockCacheBytes
  const left = memoryMax - PROCESS_BYTES - ofStore
  if (left >= REQUESTS_BYTES_MIN) return left
  if (processes > 1) {
    throw new StartError(
      `--memory-max leaves each of ${processes} processes ${mebibytes(Math.max(0, memoryMax))}: a process needs ` +
        `${mebibytes(PROCESS_BYTES)}, and its requests at least ${mebibytes(REQUESTS_BYTES_MIN)}. Raise it, or lower --processes`,
    )
  }
  const least = leastBytes(memoryMax, native, (all) => all >= REQUESTS_BYTES_MIN)
  throw new StartError(
    `--memory-max ${stated(memoryMax)} leaves no memory for requests: the process needs ${mebibytes(PROCESS_BYTES)}, ` +
      `the store ${mebibytes(ofStore)} and requests at least ${mebibytes(REQUESTS_BYTES_MIN)}. ` +
      `Raise it to ${mebibytes(least)}${native === undefined ? '' : ', or give less to memstores and block cache'}`,
  )
}

/**
 * The bytes for requests of each thread that serves connections, of `threads` and the main one. Throws StartError where that is too little.
 */
export function requestsMemoryOfThread(
  memoryMax: number,
  native: NativeMemory | undefined,
  threads: number,
): number {
  const left = requestsMemory(memoryMax, native)
  if (threads === 0) return left
  const eachOf = (all: number): number => Math.floor((all - threads * DOOR_THREAD_BYTES) / (threads + 1))
  const each = eachOf(left)
  if (each >= REQUESTS_BYTES_MIN) return each
  const least = leastBytes(memoryMax, native, (all) => eachOf(all) >= REQUESTS_BYTES_MIN)
  throw new StartError(
    `--memory-max ${stated(memoryMax)} is too little for --threads ${threads}: a thread needs ${mebibytes(DOOR_THREAD_BYTES)}, and ` +
      `requests of each at least ${mebibytes(REQUESTS_BYTES_MIN)}. Raise it to ${mebibytes(least)}, or lower --threads`,
  )
}

/** The most threads whose own memory is a quarter of what requests have without them, so that large requests still fit. */
export function threadsThatFit(memoryMax: number, native: NativeMemory | undefined): number {
  return Math.floor((requestsMemory(memoryMax, native) * AUTO_THREADS_PART) / DOOR_THREAD_BYTES)
}

/**
 * The least memory of the process with which it starts: parts of the embedded engine that are not its defaults stay as they are. `isEnough`: whether so
 * many bytes do for requests.
 */
function leastBytes(
  memoryMax: number,
  native: NativeMemory | undefined,
  isEnough: (all: number) => boolean,
): number {
  const defaults = nativeMemory(memoryMax, {})
  const kept = Object.entries(native ?? {}).filter(
    ([part, bytes]) => defaults[part as keyof NativeMemory] !== bytes,
  )
  for (let least = Math.ceil(memoryMax / MIB) * MIB; ; least += MIB) {
    const parts = { ...nativeMemory(least, {}), ...Object.fromEntries(kept) }
    const ofStore =
      native === undefined ? 0 : Object.values(parts).reduce((sum, bytes) => sum + bytes, FILE_THREADS_BYTES)
    if (isEnough(least - PROCESS_BYTES - ofStore)) return least
  }
}

/** Bytes of the least block that is mapped by itself, so that its memory goes back to the system at once: `mapBlocksFrom`. */
export function mappedFrom(memoryMax: number): number {
  return memoryMax < ROOMY_BYTES_MIN ? MIB : 4 * MIB
}

/** A warning where so little memory is stated that the embedded engine may take more. */
export function smallMemoryWarning(memoryMax: number): string | undefined {
  if (memoryMax >= STRICT_BYTES_MIN) return undefined
  return (
    `--memory-max ${mebibytes(memoryMax)} is little: with reads, appends and compactions of values of megabytes the process may take up to ${mebibytes(STRICT_BYTES_MIN)}. ` +
    `State ${mebibytes(STRICT_BYTES_MIN)} or more, or leave that much room`
  )
}

/** The size as an operator may have stated it: in bytes below a mebibyte. */
function stated(bytes: number): string {
  return bytes < MIB ? String(bytes) : mebibytes(bytes)
}

/** The size as the flags take it. */
function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / MIB)}m`
}
