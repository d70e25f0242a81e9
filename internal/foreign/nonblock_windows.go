package foreign

const nonblock = 0
