/** What a check of a file may do. */
export interface FileCheck {
  readonly reportFault: (fault: string) => void;
  /** Follows an address that must be absolute and of this site. */
  readonly link: (address: string, what: string) => void;
  /** Whether an address is the file's own. */
  readonly isOwn: (address: string) => boolean;
}
