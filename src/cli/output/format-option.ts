// The option --format of the commands that print text or JSON.
import { Option } from 'commander'

/** `more`: further formats of a command. */
export function formatOption(...more: string[]): Option {
  return new Option('--format <format>', 'output format').choices(['text', 'json', ...more]).default('text')
}
