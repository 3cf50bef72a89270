import type { OpenFile } from '../../../../adapters/native/platform/file-system.ts'

/** A file in memory whose bytes a test may look at and damage. */
export class MemoryFile implements OpenFile {
  readonly path: string
  bytes: Buffer
  appends = 0

  constructor(path = '/memory/file', bytes: Buffer = Buffer.alloc(0)) {
    this.path = path
    this.bytes = bytes
  }

  append(buffers: readonly Buffer[]): void {
    this.appends++
    this.bytes = Buffer.concat([this.bytes, ...buffers])
  }

  read(target: Buffer, offset: number, length: number, position: number): number {
    return this.bytes.copy(target, offset, position, Math.min(position + length, this.bytes.length))
  }

  size(): number {
    return this.bytes.length
  }

  truncate(bytes: number): void {
    this.bytes = this.bytes.subarray(0, bytes)
  }

  async sync(): Promise<void> {
    // The bytes stay in memory.
  }

  close(): void {
    // There is nothing to release.
  }
}
