import { Writable } from 'node:stream'

/** A recording in memory. */
export class TapeText extends Writable {
  text = ''

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.text += chunk.toString()
    done()
  }
}
