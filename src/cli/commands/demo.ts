// `bellhop demo`: the whole way of a delivery, told as it happens, on a sandbox of its own.
import { Command } from 'commander'

export function demo(): Command {
  return new Command('demo')
}
