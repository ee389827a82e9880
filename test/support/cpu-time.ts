/** Milliseconds that this thread has worked: others may use the machine as well. */
export function cpuTime(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}
