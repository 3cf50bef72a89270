/** A file that a person has written for Tidegate cannot be used: the message names the file and the reason. No bug, whose stack would help. */
export class UnfitFileError extends Error {}
