/** A frame's length is negative, or above the limit. */
export class FrameTooLarge extends Error {
  override readonly name = 'FrameTooLarge'
}
