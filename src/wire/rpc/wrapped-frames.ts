/**
 * The stream of frames behind a login with integrity or privacy, in both directions:
 *
 *     stream := (length i32 | protected bytes)*
 *
 * The messages of the protected forms are the stream without a login: one may have several frames, and a frame may need several. HBase: SaslWrapHandler,
 * SaslUnwrapHandler.
 */

import { writeInt32 } from '../../model/bytes.ts'
import { SaslFailure, type SaslLayer } from '../sasl/sasl.ts'
import { type FrameHandler, FrameReader } from './frame-reader.ts'

export const LENGTH_BYTES = 4
/** The most bytes that are protected at once where the layer sets no limit, so that the memory for them stays small. */
export const PIECE_BYTES: number = 64 * 1024

/** Reads the frames of protected messages. */
export class WrappedReader {
  /** Replaced where both sides agree on another one. */
  layer: SaslLayer
  readonly #frames: FrameReader

  /** `bytesMax`: of a frame. */
  constructor(layer: SaslLayer, bytesMax: number, onFrame: FrameHandler) {
    this.layer = layer
    this.#frames = new FrameReader(bytesMax, onFrame)
  }

  /** Takes a protected message without its length. Throws SaslFailure, and FrameTooLarge for a frame. Its caller may use the memory again. */
  take(token: Buffer): void {
    this.read(this.layer.unwrap(token))
  }

  /** Takes the message of a protected one, whose memory nothing else writes. Throws FrameTooLarge. */
  read(message: Buffer): void {
    this.#frames.pushOwned(message)
  }
}

/** The protected form of bytes, in pieces that go to the socket one after the other. Each is made when it is asked for. Throws SaslFailure. */
export function* wrapInPieces(layer: SaslLayer, bytes: Buffer): Generator<WrappedPiece, void> {
  for (const piece of cutInPieces(layer, bytes, PIECE_BYTES)) {
    const token = layer.wrap(piece)
    const length = Buffer.allocUnsafe(LENGTH_BYTES)
    writeInt32(length, 0, token.length)
    yield { length, token }
  }
}

/** The bytes in pieces of at most `bytesMax`, which the layer may wrap. Throws SaslFailure. */
export function* cutInPieces(
  layer: Pick<SaslLayer, 'messageBytesMax'>,
  bytes: Buffer,
  bytesMax: number,
): Generator<Buffer, void> {
  const pieceBytes = Math.min(layer.messageBytesMax ?? bytesMax, bytesMax)
  if (pieceBytes < 1) throw new SaslFailure('the other side has no room for protected messages')
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}

export interface WrappedPiece {
  readonly length: Buffer
  readonly token: Buffer
}
