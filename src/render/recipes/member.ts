/**
 * Bytes as a member of a gzip file that says how long it is, so that one is found again by its offset alone.
 *
 * A file of such members is an ordinary gzip file: `gunzip` reads it, and so does the audit that searches the state for
 * secrets. The lengths are in a field that the format leaves to whoever writes it (RFC 1952, 2.3.1.1).
 */
import { crc32, deflateRawSync, inflateRawSync } from "node:zlib";
import { readWhole } from "../read-whole.ts";

/** ID1, ID2, method, flags (an extra field follows), date, flags, system, then the extra field: 12 bytes, "cp", 8 bytes. */
const HEAD = Buffer.from("1f8b08040000000000ff0c0063700800", "hex");
const PACKED_AT = HEAD.length;
const LENGTH_AT = PACKED_AT + 4;
const HEAD_BYTES = LENGTH_AT + 4;
/** Checksum and length. */
const TAIL_BYTES = 8;

/** Longer ones are not ours: a length that a damaged file names is memory that is asked for. */
const MOST_BYTES = 1 << 28;

/** Most bytes that a part of the format holds which is stored as it is (RFC 1951, 3.2.4). */
const MOST_STORED = 65_535;
const STORED_HEAD_BYTES = 5;

/** As they are: for bytes that hardly pack, and are made all the time. */
export function store(bytes: Uint8Array): Buffer {
  const parts = Math.max(1, Math.ceil(bytes.length / MOST_STORED));
  const packed = Buffer.allocUnsafeSlow(bytes.length + parts * STORED_HEAD_BYTES);
  let to = 0;
  for (let part = 0; part < parts; part++) {
    const from = part * MOST_STORED;
    const length = Math.min(MOST_STORED, bytes.length - from);
    packed[to] = part === parts - 1 ? 1 : 0;
    packed.writeUInt16LE(length, to + 1);
    packed.writeUInt16LE(length ^ 0xffff, to + 3);
    to += STORED_HEAD_BYTES;
    packed.set(bytes.subarray(from, from + length), to);
    to += length;
  }
  return member(packed, bytes);
}

export function pack(bytes: Uint8Array): Buffer {
  return member(deflateRawSync(bytes, { level: 1 }), bytes);
}

function member(packed: Uint8Array, bytes: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafeSlow(HEAD_BYTES + packed.length + TAIL_BYTES);
  whole.set(HEAD);
  whole.writeUInt32LE(packed.length, PACKED_AT);
  whole.writeUInt32LE(bytes.length, LENGTH_AT);
  whole.set(packed, HEAD_BYTES);
  whole.writeUInt32LE(crc32(bytes), HEAD_BYTES + packed.length);
  whole.writeUInt32LE(bytes.length, HEAD_BYTES + packed.length + 4);
  return whole;
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
  return readWhole(file, bytes, 0, length, offset) ? bytes : undefined;
}
