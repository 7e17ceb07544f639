// The option --format of the commands that print text or JSON.
import { Option } from 'commander'

export function formatOption(): Option {
  return new Option('--format <format>', 'output format').choices(['text', 'json']).default('text')
}
