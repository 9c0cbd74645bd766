/**
 * Bytes as a member of a gzip file that says how long it is, so that one is found again by its offset alone.
 *
 * A file of such members is an ordinary gzip file: `gunzip` reads it, and so does the audit that searches the state for
 * secrets. The lengths are in a field that the format leaves to whoever writes it (RFC 1952, 2.3.1.1).
 */
import { readSync } from "node:fs";
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";

/** ID1, ID2, method, flags (an extra field follows), date, flags, system, then the extra field: 12 bytes, "cp", 8 bytes. */
const HEAD = Buffer.from("1f8b08040000000000ff0c0063700800", "hex");
const PACKED_AT = HEAD.length;
const LENGTH_AT = PACKED_AT + 4;
const HEAD_BYTES = LENGTH_AT + 4;
/** Checksum and length. */
const TAIL_BYTES = 8;

/** Longer ones are not ours: a length that a damaged file names is memory that is asked for. */
const MOST_BYTES = 1 << 28;

/** @param level of zlib's: 0 stores, 1 is the fastest that packs */
export function pack(bytes: Uint8Array, level: 0 | 1): Buffer {
  // One piece, however long: zlib's pieces of 16 kB would each be a call into it.
  const chunkSize = Math.max(64, bytes.length + (bytes.length >>> 8) + 64);
  const packed = deflateRawSync(bytes, { level, chunkSize });
  const head = Buffer.from(HEAD.toString("latin1").padEnd(HEAD_BYTES, "\0"), "latin1");
  head.writeUInt32LE(packed.length, PACKED_AT);
  head.writeUInt32LE(bytes.length, LENGTH_AT);
  const tail = Buffer.alloc(TAIL_BYTES);
  tail.writeUInt32LE(crc32(bytes), 0);
  tail.writeUInt32LE(bytes.length, 4);
  return Buffer.concat([head, packed, tail]);
}

export interface Member {
  readonly bytes: Buffer;
  /** Where the next one begins. */
  readonly end: number;
}

/** Undefined where no whole member lies. */
export function readMember(file: number, offset: number): Member | undefined {
  const head = readAt(file, offset, HEAD_BYTES);
  if (head?.subarray(0, HEAD.length).equals(HEAD) !== true) return undefined;
  const packed = head.readUInt32LE(PACKED_AT);
  const length = head.readUInt32LE(LENGTH_AT);
  if (packed > MOST_BYTES || length > MOST_BYTES) return undefined;
  const body = readAt(file, offset + HEAD_BYTES, packed + TAIL_BYTES);
  if (body === undefined) return undefined;
  const bytes = inflated(body.subarray(0, packed), length);
  if (bytes?.length !== length || crc32(bytes) !== body.readUInt32LE(packed)) return undefined;
  return { bytes, end: offset + HEAD_BYTES + packed + TAIL_BYTES };
}

function inflated(packed: Buffer, length: number): Buffer | undefined {
  const room = Math.max(64, length);
  try {
    return inflateRawSync(packed, { chunkSize: room, maxOutputLength: room });
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (/^(?:Z_|ERR_BUFFER_TOO_LARGE)/.test(code)) return undefined;
    throw error;
  }
}

function readAt(file: number, offset: number, length: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let done = 0; done < length;) {
    const got = readSync(file, bytes, done, length - done, offset + done);
    if (got === 0) return undefined;
    done += got;
  }
  return bytes;
}
