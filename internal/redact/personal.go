package redact

// residentDate checks a Korean resident registration number (13 digits): a real
// date and a possible century digit. There is no checksum since October 2020.
func residentDate(num string) bool {
	century := num[6] - '0'
	if century < 1 || century > 8 {
		return false
	}
	month, day := two(num[2:]), two(num[4:])
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}
	last := days[month-1]
	if month == 2 && two(num)%4 == 0 { // 1900 and 2000 differ, too rare to matter
		last = 29
	}
	return day <= last
}

// plainResident decides on digits that nothing announces. Milliseconds since
// 1970 and Korean barcodes (880…) can pass for a date; they aren't masked.
func plainResident(num string) bool {
	if num[0] == '1' || num[:2] == "20" || num[:2] == "21" {
		return false
	}
	century := (num[6] - '0') % 4 // 1, 2: the 1900s; 3, 0: the 2000s
	if (century == 3 || century == 0) && two(num) > 40 {
		return false
	}
	return num[:3] != "880" || !barcode(num)
}

// barcode is the check digit of EAN-13.
func barcode(num string) bool {
	sum := 0
	for i := range 13 {
		d := int(num[i] - '0')
		if i%2 == 1 {
			d *= 3
		}
		sum += d
	}
	return sum%10 == 0
}

func two(s string) int { return int(s[0]-'0')*10 + int(s[1]-'0') }

// mobilePrefix is 01[016-9], the mobile ranges of Korea.
func mobilePrefix(num string) bool {
	return num[0] == '0' && num[1] == '1' && (num[2] == '0' || num[2] == '1' || num[2] >= '6')
}

// businessNumber is the check digit of a Korean business registration number.
func businessNumber(num string) bool {
	weights := [...]int{1, 3, 7, 1, 3, 7, 1, 3}
	sum := 0
	for i, w := range weights {
		sum += w * int(num[i]-'0')
	}
	last := int(num[8]-'0') * 5
	sum += last/10 + last%10
	return num != "0000000000" && (10-sum%10)%10 == int(num[9]-'0')
}

// cardNumber checks issuer range, length and check digit of a payment card.
func cardNumber(num string) bool { return issued(num) && luhn(num) }

func luhn(num string) bool {
	sum, same := 0, true
	for i := range len(num) {
		d := int(num[len(num)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
		same = same && num[i] == num[0]
	}
	return sum%10 == 0 && !same
}

// issued says whether an issuer with this prefix issues numbers of this length.
func issued(num string) bool {
	n, p2 := len(num), two(num)
	p4 := p2*100 + two(num[2:])
	switch {
	case num[0] == '4':
		return n == 13 || n == 16 || n == 19
	case p2 >= 51 && p2 <= 55, p4 >= 2221 && p4 <= 2720:
		return n == 16
	case p2 == 34 || p2 == 37:
		return n == 15
	case p2 == 36 || p2 == 38 || p2 == 39 || p4/10 >= 300 && p4/10 <= 305:
		return n == 14 || n == 16
	case p4 >= 3528 && p4 <= 3589:
		return n == 16
	case p4 == 6011 || p2 == 65 || p4/10 >= 644 && p4/10 <= 649:
		return n == 16 || n == 19
	case p2 == 62:
		return n >= 16 && n <= 19
	case p2 == 94: // cards for use in Korea only
		return n == 16
	}
	return false
}
